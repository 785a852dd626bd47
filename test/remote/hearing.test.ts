import { expect, test } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { Hearing } from '../../src/remote/hearing.ts';

function heardAt(limit: number) {
  const clock = new ManualClock();
  const told: string[] = [];
  const hearing = new Hearing(
    { limit },
    { clock, onSilent: (ms) => told.push(`silent ${ms}`), onHeard: (ms) => told.push(`heard ${ms}`) },
  );
  return { clock, told, hearing };
}

test('a silence is told once, when the limit is over, and so is its end', async () => {
  const { clock, told, hearing } = heardAt(1_000);
  await clock.advance(1_000);
  expect(hearing.isSilent).toBe(false);
  await clock.advance(1_000);
  hearing.heard();
  expect(told).toEqual(['silent 1200', 'heard 2000']);
});

test('what was heard of another machine alone ends at once where it turns out to say nothing', async () => {
  const { clock, told, hearing } = heardAt(1_000);
  await clock.advance(500);
  hearing.heard();
  hearing.expire();
  expect(hearing.isSilent).toBe(true);
  hearing.expire();
  expect(told).toEqual(['silent 1001']);
  await clock.advance(100);
  hearing.heard();
  expect(hearing.isSilent).toBe(false);
  expect(told).toEqual(['silent 1001', 'heard 1101']);
});

test('an answer counts from when it was asked for', async () => {
  const { clock, told, hearing } = heardAt(1_000);
  const asked = clock.now();
  await clock.advance(800);
  hearing.heard(asked);
  expect(hearing.ms).toBe(800);
  await clock.advance(400);
  expect(hearing.isSilent).toBe(true);
  // It is too old to end the silence, or to make a later word older.
  hearing.heard(asked + 100);
  expect(told).toEqual(['silent 1200']);
  hearing.heard();
  hearing.heard(asked);
  expect(hearing.ms).toBe(0);
  expect(told).toEqual(['silent 1200', 'heard 1100']);
});
