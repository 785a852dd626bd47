import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Turns } from '../src/turns.ts';

function start() {
  const wall = { time: 0, now: () => wall.time };
  const turns = new Turns({ wall, pause: () => setImmediate() });
  return { wall, turns };
}

describe('background work', () => {
  test('may go on for 4 ms from its first look', () => {
    const { wall, turns } = start();
    wall.time = 1_000;
    expect(turns.due).toBe(false);
    wall.time = 1_003;
    expect(turns.due).toBe(false);
    wall.time = 1_004;
    expect(turns.due).toBe(true);
  });

  test('has a new stretch when the event loop has turned', async () => {
    const { wall, turns } = start();
    expect(turns.due).toBe(false);
    await setImmediate();
    await setImmediate();
    wall.time = 500;
    expect(turns.due).toBe(false);
  });

  test('goes on one run at a time, in the order in which they paused', async () => {
    const { turns } = start();
    const order: string[] = [];
    const run = async (name: string) => {
      for (let i = 0; i < 2; i++) {
        await turns.pause();
        order.push(name);
      }
    };
    const loop = async () => {
      for (let i = 0; i < 4; i++) {
        await setImmediate();
        order.push('|');
      }
    };
    await Promise.all([run('a'), run('b'), loop()]);
    expect(order.filter((name) => name !== '|')).toEqual(['a', 'b', 'a', 'b']);
    // Never two in one turn of the loop.
    expect(order.join('')).not.toMatch(/[ab]{2}.*\|/);
  });
});
