import { describe, expect, it } from 'vitest';
import { FlashblockSchedule } from '../../../src/sequencer/mining/flashblock-schedule.ts';

const START = 10_000;
const schedule = (blockTime = 1000, flashblockInterval = 200) =>
  new FlashblockSchedule({ blockTime, flashblockInterval }, START);

function dues(of: FlashblockSchedule): number[] {
  const all: number[] = [];
  for (let last = false; !last; ) {
    all.push(of.due - START);
    last = of.take(of.due).last;
  }
  return all;
}

describe('FlashblockSchedule', () => {
  it('has a slot per interval, the last one at the end of the block', () => {
    expect(dues(schedule())).toEqual([200, 400, 600, 800, 1000]);
  });

  it('makes the last slot shorter where the interval does not divide the block time', () => {
    expect(dues(schedule(1000, 300))).toEqual([300, 600, 900, 1000]);
    expect(dues(schedule(1000, 999))).toEqual([999, 1000]);
  });

  it('has one slot where the interval is the whole block', () => {
    expect(dues(schedule(1000, 1000))).toEqual([1000]);
  });

  it('keeps a slot that is taken late by less than an interval', () => {
    const late = schedule();
    expect(late.take(START + 399)).toEqual({ due: START + 200, merged: 0, last: false });
    expect(late.due).toBe(START + 400);
  });

  it('merges the slots that were missed into one', () => {
    expect(schedule().take(START + 750)).toEqual({ due: START + 600, merged: 2, last: false });
    expect(schedule().take(START + 1000)).toEqual({ due: START + 1000, merged: 4, last: true });
    expect(schedule().take(START + 60_000)).toEqual({ due: START + 1000, merged: 4, last: true });
  });

  it('begins the next block at the end of this one', () => {
    expect(schedule().following(START + 1000)).toEqual({ start: START + 1000, merged: 0 });
    expect(schedule().following(START + 1999)).toEqual({ start: START + 1000, merged: 0 });
  });

  it('begins the next block at the last boundary before now, and counts the slots of the blocks between', () => {
    expect(schedule().following(START + 3700)).toEqual({ start: START + 3000, merged: 10 });
    expect(schedule(1000, 300).following(START + 2000)).toEqual({ start: START + 2000, merged: 4 });
  });
});
