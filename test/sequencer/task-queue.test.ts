import { describe, expect, it } from 'vitest';
import { TaskQueue } from '../../src/task-queue.ts';

describe('a task that is to run soon', () => {
  it('has ended when the call returns, where nothing else is under way and it waits for nothing', () => {
    const queue = new TaskQueue();
    expect(queue.runSoon(() => 1)).toBe(1);
    expect(() =>
      queue.runSoon(() => {
        throw new Error('refused');
      }),
    ).toThrow('refused');
    expect(queue.isIdle).toBe(true);
  });

  it('comes after those that run or wait', async () => {
    const queue = new TaskQueue();
    const order: number[] = [];
    const first = queue.run(async () => {
      await Promise.resolve();
      order.push(1);
    });
    const second = queue.runSoon(() => void order.push(2));
    expect(order).toEqual([]);
    await Promise.all([first, second]);
    expect(order).toEqual([1, 2]);
    expect(queue.isIdle).toBe(true);
  });

  it('keeps others waiting while it waits, also those that were added while it began', async () => {
    const queue = new TaskQueue();
    const order: string[] = [];
    let added: Promise<void> | undefined;
    const first = queue.runSoon(async () => {
      added = queue.run(() => void order.push('second'));
      for (let i = 0; i < 10; i++) await Promise.resolve();
      order.push('first');
    });
    expect(queue.isIdle).toBe(false);
    await queue.runSoon(() => void order.push('third'));
    await Promise.all([first, added]);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('that fails does not stop the next ones', async () => {
    const queue = new TaskQueue();
    const failed = queue.runSoon(async () => {
      throw new Error('refused');
    });
    const next = queue.run(() => 2);
    await expect(failed).rejects.toThrow('refused');
    expect(await next).toBe(2);
  });
});
