import { expect, test } from 'vitest';
import type { Entry } from '../../src/chain-log/log-store.ts';
import { LogWriter } from '../../src/chain-log/log-writer.ts';
import { type Position, textOf } from '../../src/chain-log/position.ts';
import { ManualClock } from '../../src/clock.ts';

/** A log as Redis keeps it, that can be away or lose entries. */
class FakeStore {
  readonly entries: Entry[] = [];
  isAway = false;
  /** takes an entry, but its answer is lost */
  loses = false;
  fence = 1;
  calls = 0;

  get end(): Position {
    return this.entries.at(-1)?.position ?? { fence: this.fence, task: 0 };
  }

  async append(entry: Entry, before: Position): Promise<Position> {
    this.calls++;
    if (this.isAway) throw new Error('away');
    if (textOf(this.end) === textOf(before)) this.entries.push(entry);
    if (this.loses) {
      this.loses = false;
      throw new Error('no answer');
    }
    return this.end;
  }

  async last(): Promise<Position> {
    return this.end;
  }

  get tasks(): string[] {
    return this.entries.flatMap(({ tasks }) => tasks.flat());
  }
}

function setup(options: { mostTasks?: number; mostBytes?: number } = {}) {
  const store = new FakeStore();
  const clock = new ManualClock();
  const told: string[] = [];
  const writer = new LogWriter(
    { begin: { fence: 1, task: 0 }, mostTasks: 100, mostBytes: 10_000, ...options },
    {
      store,
      clock,
      onCut: (reason) => told.push(reason),
      onSuperseded: () => told.push('superseded'),
    },
  );
  /** Lets what is under way end, and what waits for the clock begin. */
  const settle = async () => {
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    await clock.advance(200);
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  };
  const write = (...texts: string[]) => {
    for (const text of texts) writer.task([text]);
  };
  return { store, clock, writer, told, settle, write };
}

test('tasks come into the log in order, those that wait together in one entry', async () => {
  const { store, writer, settle, write } = setup();
  write('a', 'b', 'c');
  await settle();
  expect(store.tasks).toEqual(['a', 'b', 'c']);
  expect(store.entries.map(({ position }) => textOf(position))).toEqual(['1-1', '1-3']);
  expect(writer).toMatchObject({ position: { fence: 1, task: 3 }, waiting: 0 });
});

test('an entry whose answer was lost is in the log once', async () => {
  const { store, settle, write } = setup();
  store.loses = true;
  write('a');
  await settle();
  write('b');
  await settle();
  expect(store.tasks).toEqual(['a', 'b']);
});

test('entries that Redis lost are written again', async () => {
  const { store, settle, write } = setup();
  for (const text of ['a', 'b', 'c']) {
    write(text);
    await settle();
  }
  store.entries.splice(1);
  write('d');
  await settle();
  expect(store.tasks).toEqual(['a', 'b', 'c', 'd']);
});

test('entries that Redis lost with all before them are written again as far as they are kept, and it is reported', async () => {
  const { store, writer, told, settle, write } = setup();
  const chain = () => store.entries.map(({ position }) => textOf(position));
  for (const text of ['a', 'b']) {
    write(text);
    await settle();
  }
  // Also the entry with which the leader began.
  store.fence = 0;
  store.entries.splice(0);
  write('c');
  await settle();
  expect([store.tasks, chain()]).toEqual([
    ['a', 'b', 'c'],
    ['1-1', '1-2', '1-3'],
  ]);
  expect(told).toEqual(['Redis has lost the log after 0-0']);
  expect(writer).toMatchObject({ cuts: 1, isCut: false, waiting: 0 });
  // Once more, while nothing is written.
  store.entries.splice(0);
  await writer.check();
  await settle();
  expect(store.tasks).toEqual(['a', 'b', 'c']);
});

test('tasks wait while Redis is away, a limited number and a limited size of them', async () => {
  for (const limits of [{ mostTasks: 3 }, { mostBytes: 30 }]) {
    const { store, writer, told, settle, write } = setup(limits);
    store.isAway = true;
    write('0123456789', '0123456789', '0123456789');
    await settle();
    expect(writer.waiting).toBe(3);
    expect(told).toEqual([]);
    write('0123456789', '0123456789');
    await settle();
    expect(writer).toMatchObject({ waiting: 0, isCut: true, cuts: 1, position: { fence: 1, task: 5 } });
    expect(told).toEqual([expect.stringMatching('more tasks wait')]);
    // After a snapshot of task 5 the log goes on.
    store.isAway = false;
    writer.resume(await store.last());
    write('after');
    await settle();
    expect(store.entries.map(({ position }) => textOf(position))).toEqual(['1-6']);
  }
});

test('a later leader ends it', async () => {
  const { store, told, settle, write } = setup();
  write('a');
  await settle();
  store.entries.push({ position: { fence: 2, task: 0 }, at: 0, tasks: [] });
  write('b');
  await settle();
  const { calls } = store;
  write('c');
  await settle();
  expect([told, store.tasks, store.calls]).toEqual([['superseded'], ['a'], calls]);
});
