import { expect, test } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { Liveness } from '../../src/remote/liveness.ts';

function heardAt(limit: number) {
  const clock = new ManualClock();
  const told: string[] = [];
  const liveness = new Liveness(
    { limit },
    { clock, onSilent: (ms) => told.push(`silent ${ms}`), onAlive: (ms) => told.push(`heard ${ms}`) },
  );
  return { clock, told, liveness };
}

test('a silence is reported once, when the limit is over, and so is its end', async () => {
  const { clock, told, liveness } = heardAt(1_000);
  await clock.advance(1_000);
  expect(liveness.isSilent).toBe(false);
  await clock.advance(1_000);
  liveness.sawSign();
  expect(told).toEqual(['silent 1200', 'heard 2000']);
});

test('what was heard of another machine alone ends at once where it turns out to say nothing', async () => {
  const { clock, told, liveness } = heardAt(1_000);
  await clock.advance(500);
  liveness.sawSign();
  liveness.expire();
  expect(liveness.isSilent).toBe(true);
  liveness.expire();
  expect(told).toEqual(['silent 1001']);
  await clock.advance(100);
  liveness.sawSign();
  expect(liveness.isSilent).toBe(false);
  expect(told).toEqual(['silent 1001', 'heard 1101']);
});

test('an answer counts from when it was asked for', async () => {
  const { clock, told, liveness } = heardAt(1_000);
  const asked = clock.now();
  await clock.advance(800);
  liveness.sawSign(asked);
  expect(liveness.ms).toBe(800);
  await clock.advance(400);
  expect(liveness.isSilent).toBe(true);
  // It is too old to end the silence, or to make a later word older.
  liveness.sawSign(asked + 100);
  expect(told).toEqual(['silent 1200']);
  liveness.sawSign();
  liveness.sawSign(asked);
  expect(liveness.ms).toBe(0);
  expect(told).toEqual(['silent 1200', 'heard 1100']);
});
