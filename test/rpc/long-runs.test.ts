import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { DevnetError } from '../../src/errors.ts';
import { defineMethod } from '../../src/rpc/define-method.ts';
import { Dispatcher, type DispatcherOptions } from '../../src/rpc/dispatch.ts';
import { type LongRun, LongRuns } from '../../src/rpc/long-runs.ts';
import type { Pauses } from '../../src/turns.ts';
import { fakeContext } from './fake-chain.ts';

const [ALICE, BOB, CAROL] = [{}, {}, {}];
/** Lets everything go on that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Long runs whose time slices begin when the test says so. */
function start(options: { most?: number; mostBytes?: number; mostBytesAlone?: number } = {}) {
  const waiting: (() => void)[] = [];
  const turns: Pauses = {
    due: true,
    pause: () => new Promise((resolve) => waiting.push(resolve)),
    hold: () => {},
  };
  const counts = { busy: 0, quiet: 0 };
  const onBusy = () => void counts.busy++;
  const onQuiet = () => void counts.quiet++;
  const runs = new LongRuns(
    { most: 100, mostWaiting: 2, mostBytes: 1_000, mostBytesAlone: 2_000, ...options },
    { turns, onBusy, onQuiet },
  );
  const order: string[] = [];
  const ends: Record<string, string> = {};
  /** A run that never ends by itself. */
  const begin = async (name: string, caller: object, bytes = 0) => {
    const run = runs.begin(caller);
    run.hold(bytes);
    const work = endless(name, run);
    run.until(work);
    await settle();
    return run;
  };
  const endless = async (name: string, run: LongRun) => {
    try {
      for (;;) {
        await run.pause();
        order.push(name);
      }
    } catch (error) {
      ends[name] = (error as DevnetError).kind;
    }
  };
  const slices = async (count: number) => {
    for (let i = 0; i < count; i++) {
      waiting.shift()?.();
      await settle();
    }
  };
  return { runs, begin, slices, order, ends, waiting, counts };
}

describe('long runs', () => {
  test('go on one in a slice: connections in turn, and the runs of each in turn', async () => {
    const { begin, slices, order } = start();
    for (const name of ['a1', 'a2', 'a3', 'a4']) await begin(name, ALICE!);
    await begin('b1', BOB!);
    await slices(8);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b1', 'a3', 'b1', 'a4', 'b1']);
  });

  test('wait for their slices as one piece of work, however many they are', async () => {
    const { begin, waiting } = start();
    for (let i = 0; i < 20; i++) await begin(`a${i}`, ALICE!);
    expect(waiting).toHaveLength(1);
  });

  test('past the limit have no place', async () => {
    const { begin, slices, order, ends } = start({ most: 3 });
    await begin('a', ALICE!);
    await begin('b', BOB!);
    await begin('c', CAROL!);
    await begin('late', {});
    expect(ends).toEqual({ late: 'noPlace' });
    await slices(3);
    expect(order).toEqual(['a', 'b', 'c']);
  });

  test('past the limit take the place of the newest of a connection that has more', async () => {
    const { begin, ends } = start({ most: 4 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) await begin(name, ALICE!);
    await begin('b1', BOB!);
    expect(ends).toEqual({ a4: 'noPlace' });
    await begin('b2', BOB!);
    expect(ends).toEqual({ a4: 'noPlace', a3: 'noPlace' });
    // Now each has half.
    await begin('b3', BOB!);
    await begin('a5', ALICE!);
    expect(ends).toMatchObject({ b3: 'noPlace', a5: 'noPlace' });
  });

  test('wait for a place, callers with the fewest first, and are refused with -32005 when too many wait', async () => {
    const { runs, begin } = start({ most: 2 });
    const never = new AbortController().signal;
    const gone = new DevnetError('server', { reason: 'gone' });
    const first = await begin('a1', ALICE!);
    const second = await begin('a2', ALICE!);
    const places: string[] = [];
    const wait = async (name: string, caller: object) => {
      const run = await runs.placeFor(caller, never);
      places.push(name);
      return run;
    };
    const ofAlice = wait('alice', ALICE!);
    const ofBob = wait('bob', BOB!);
    await expect(wait('carol', CAROL!)).rejects.toMatchObject({ code: -32005, kind: 'tooManyLong' });
    first.end(gone);
    await ofBob;
    expect(places).toEqual(['bob']);
    second.end(gone);
    await ofAlice;
    expect(places).toEqual(['bob', 'alice']);
  });

  test('that nobody waits for any more give up their place in the queue', async () => {
    const { runs, begin } = start({ most: 1 });
    const only = await begin('only', ALICE!);
    const waiting = new AbortController();
    const timedOut = new DevnetError('timedOut', { ms: 5 });
    const given = runs.placeFor(BOB!, waiting.signal);
    const left = runs.placeFor(CAROL!, new AbortController().signal);
    waiting.abort(timedOut);
    await expect(given).rejects.toBe(timedOut);
    runs.end(CAROL!, timedOut);
    await expect(left).rejects.toBe(timedOut);
    only.end(timedOut);
    expect(runs.isBusy).toBe(false);
  });

  test('that have ended make room', async () => {
    const { runs, begin, ends } = start({ most: 1 });
    const first = await begin('first', ALICE!);
    first.end(new DevnetError('timedOut', { ms: 5 }));
    await settle();
    expect(ends).toEqual({ first: 'timedOut' });
    expect(runs.isBusy).toBe(false);
    await begin('second', BOB!);
    expect(ends).toEqual({ first: 'timedOut' });
  });

  test('over the memory for all of them end the one that holds most', async () => {
    const { begin, ends } = start({ mostBytes: 1_000 });
    const small = await begin('small', ALICE!, 100);
    await begin('large', BOB!, 700);
    small.hold(200);
    await settle();
    expect(ends).toEqual({});
    small.hold(1);
    await settle();
    expect(ends).toEqual({ large: 'tooMuchMemory' });
    // What that one held is free again.
    small.hold(600);
    small.hold(-900);
    await settle();
    expect(ends).toEqual({ large: 'tooMuchMemory' });
  });

  test('have more memory while there is no other', async () => {
    const { begin, ends } = start({ mostBytes: 1_000, mostBytesAlone: 2_000 });
    const first = await begin('first', ALICE!, 2_000);
    await settle();
    expect(ends).toEqual({});
    first.hold(1);
    await settle();
    expect(ends).toEqual({ first: 'tooMuchMemory' });
  });

  test('that hold more than several may are ended when another becomes long, though that one holds nothing', async () => {
    const { begin, ends } = start({ mostBytes: 1_000, mostBytesAlone: 2_000 });
    await begin('large', ALICE!, 1_001);
    await begin('other', BOB!);
    expect(ends).toEqual({ large: 'tooMuchMemory' });
  });

  test('that hold too much from the start are ended before they wait', async () => {
    const { begin, slices, ends, order } = start({ mostBytesAlone: 2_000 });
    await begin('huge', ALICE!, 2_001);
    expect(ends).toEqual({ huge: 'tooMuchMemory' });
    await slices(3);
    expect(order).toEqual([]);
  });

  test('tell when the last of them has ended', async () => {
    const { begin, slices, counts } = start();
    const gone = new DevnetError('server', { reason: 'gone' });
    const one = await begin('one', ALICE!);
    const other = await begin('other', BOB!);
    one.end(gone);
    await slices(3);
    expect(counts).toEqual({ busy: 1, quiet: 0 });
    other.end(gone);
    await slices(3);
    expect(counts).toEqual({ busy: 1, quiet: 1 });
  });

  test('of a closed connection end, and no other', async () => {
    const { runs, begin, ends } = start();
    await begin('a1', ALICE!);
    await begin('a2', ALICE!);
    await begin('b', BOB!);
    runs.end(ALICE!, new DevnetError('server', { reason: 'the caller is gone' }));
    await settle();
    expect(ends).toEqual({ a1: 'server', a2: 'server' });
  });
});

describe('a method that computes', () => {
  /** A dispatcher whose method `loop` goes on until a pause of it throws; and why it ended, by its parameter. */
  function make(options: DispatcherOptions) {
    const ends: Record<string, string> = {};
    const begun: string[] = [];
    const loop = defineMethod({
      name: 'loop',
      kind: 'read',
      computes: true,
      params: [{ decode: (value) => value as string }],
      handler: async ({ pauses }, name) => {
        begun.push(name);
        try {
          for (;;) await pauses!.pause();
        } catch (error) {
          ends[name] = (error as DevnetError).kind;
          throw error;
        }
      },
    });
    const context = fakeContext();
    const clock = new ManualClock();
    const dispatcher = new Dispatcher(options, { methods: [loop], context, clock });
    const ask = async (name: string, caller?: object) => {
      const request = JSON.stringify({ jsonrpc: '2.0', id: name, method: 'loop', params: [name] });
      return JSON.parse(String(await dispatcher.handleText(request, undefined, caller)));
    };
    return { dispatcher, clock, ask, ends, begun };
  }

  test('ends at its time limit, not only its answer', async () => {
    const { clock, ask, ends } = make({ timeoutMs: 100 });
    const first = ask('first');
    await clock.advance(60);
    const second = ask('second');
    await clock.advance(40);
    expect(await first).toMatchObject({
      error: { code: -32000, message: expect.stringContaining('100 ms') },
    });
    await settle();
    expect(ends).toEqual({ first: 'timedOut' });
    await clock.advance(60);
    expect(await second).toMatchObject({ error: { code: -32000 } });
    expect(ends).toEqual({ first: 'timedOut', second: 'timedOut' });
  });

  test('begins anew when there is a place again, and is refused with -32005 when too many wait for one', async () => {
    const { clock, ask, ends } = make({ timeoutMs: 100, longRuns: 2, waitingRuns: 1 });
    const running = [ask('first', ALICE), ask('second', BOB)];
    await settle();
    await clock.advance(50);
    const third = ask('third', CAROL);
    await settle();
    expect(await ask('fourth', {})).toMatchObject({
      error: { code: -32005, message: expect.stringContaining('2 long calls') },
    });
    expect(ends).toEqual({ third: 'noPlace', fourth: 'noPlace' });
    await clock.advance(50);
    await Promise.all(running);
    await settle();
    await clock.advance(50);
    // It ran again, until its own time was over, which the wait was part of.
    expect(await third).toMatchObject({ error: { code: -32000 } });
    await settle();
    expect(ends).toMatchObject({ third: 'timedOut' });
  });

  test('that waits for a place does not begin anew when its own time ends with that of the one before', async () => {
    const { clock, ask, ends, begun } = make({ timeoutMs: 100, longRuns: 1 });
    const both = [ask('first', ALICE), ask('second', BOB)];
    await settle();
    expect(ends).toEqual({ second: 'noPlace' });
    await clock.advance(100);
    expect(await Promise.all(both)).toMatchObject([{ error: { code: -32000 } }, { error: { code: -32000 } }]);
    await settle();
    expect(begun).toEqual(['first', 'second']);
  });

  test('ends when its connection is closed', async () => {
    const { dispatcher, ask, ends } = make({});
    void ask('gone', ALICE);
    await settle();
    dispatcher.leave(ALICE!);
    await settle();
    expect(ends).toEqual({ gone: 'server' });
  });
});
