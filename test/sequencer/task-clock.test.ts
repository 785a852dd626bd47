import { expect, test } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { TaskClock } from '../../src/sequencer/task-clock.ts';

test('time stands still while a task is under way', async () => {
  const clock = new ManualClock(1000);
  const taskClock = new TaskClock({ clock });
  taskClock.hold();
  await clock.advance(30);
  expect([taskClock.now(), taskClock.elapsed, taskClock.precise()]).toEqual([1000, 30, 1030]);
  taskClock.release();
  expect([taskClock.now(), taskClock.elapsed]).toEqual([1030, 0]);
});

test('what a task takes does not make the next one late', async () => {
  const clock = new ManualClock(1000);
  const taskClock = new TaskClock({ clock });
  const ran: string[] = [];
  taskClock.hold();
  await clock.advance(30);
  taskClock.after(200, () => void ran.push('in time'));
  taskClock.after(20, () => void ran.push('overdue'));
  taskClock.release();
  await clock.advance(0);
  expect(ran).toEqual(['overdue']);
  await clock.advance(169);
  expect(ran).toEqual(['overdue']);
  await clock.advance(1);
  expect(ran).toEqual(['overdue', 'in time']);
});
