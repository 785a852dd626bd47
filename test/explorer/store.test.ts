import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { KEPT_BLOCKS, Store } from '../../src/explorer/data/store.ts';
import { block, hash } from './blocks.ts';

let clock: ManualClock;
let store: Store;
let grown: Map<string, string[]>;
beforeEach(() => {
  grown = new Map();
  clock = new ManualClock(1_000);
  store = new Store({ clock });
  store.seal([block(0)]);
});
/** The block has these transactions with its flashblock `index`, after `ms` milliseconds. */
const grow = async (number: number, index: number, names: string[], { ms = 200, version = '' } = {}) => {
  await clock.advance(ms);
  const before = index === 0 ? [] : (grown.get(`${number}${version}.${index - 1}`) ?? []);
  grown.set(`${number}${version}.${index}`, names);
  const whole = block(number, names, { version });
  const diff = { ...whole, transactions: whole.transactions.slice(before.length) };
  return store.grown({ payloadId: hash(`${number}${version}`), index, failed: [], block: diff }, 200);
};
const kinds = (name: string) => store.lifecycles.of(hash(name)).map(({ kind }) => kind);

describe('a growing block', () => {
  it('has a flashblock for each step, with what the step added', async () => {
    await grow(1, 0, []);
    await grow(1, 1, ['a', 'b']);
    await grow(1, 2, ['a', 'b', 'c']);
    expect(store.pending.value).toMatchObject({ index: 2, ends: [0, 2, 3] });
    expect(store.pending.value?.block).toEqual(block(1, ['a', 'b', 'c']));
    expect(store.flashes.value.map(({ index, gas, transactions }) => [index, gas, transactions])).toEqual([
      [0, 0, 0],
      [1, 42_000, 2],
      [2, 21_000, 1],
    ]);
    expect(store.recent.value.map(({ transaction, flashblock }) => [transaction.hash, flashblock])).toEqual([
      [hash('c'), 2],
      [hash('b'), 1],
      [hash('a'), 1],
    ]);
  });

  it('is late where a step takes more than one and a half intervals, but not after a pause', async () => {
    await grow(1, 0, []);
    await grow(1, 1, ['a'], { ms: 301 });
    store.resume();
    await grow(1, 2, ['a', 'b'], { ms: 5_000 });
    expect(store.flashes.value.map(({ late }) => late)).toEqual([false, true, false]);
  });

  it('that is begun anew loses its earlier steps, and the transactions that it lacks are dropped', async () => {
    await grow(1, 0, []);
    await grow(1, 1, ['a', 'b']);
    await grow(1, 0, [], { version: 'anew' });
    await grow(1, 1, ['a'], { version: 'anew' });
    expect(store.flashes.value).toHaveLength(2);
    expect(kinds('a')).toEqual(['preconfirmed', 'dropped', 'preconfirmed']);
    expect(kinds('b')).toEqual(['preconfirmed', 'dropped']);
    expect(store.recent.value.map(({ transaction }) => transaction.hash)).toEqual([hash('a')]);
  });

  it('that the page meets in the middle has its first transactions in one group', async () => {
    store.begin(block(1, ['a', 'b']), { payloadId: hash('1'), index: 3 });
    grown.set('1.3', ['a', 'b']);
    expect(store.recent.value.map(({ transaction }) => transaction.hash)).toEqual([hash('b'), hash('a')]);
    await grow(1, 4, ['a', 'b', 'c']);
    expect(store.pending.value).toMatchObject({ index: 4, whole: false, ends: [2, 3] });
    expect(store.flashes.value.map(({ index, gas }) => [index, gas])).toEqual([[4, 21_000]]);
    store.seal([block(1, ['a', 'b', 'c'])]);
    expect(store.groupsOf(block(1, ['a', 'b', 'c']))).toBeUndefined();
  });

  it('does not go on where steps are missing, and counts none twice', async () => {
    expect(await grow(1, 2, ['a'])).toBe(false);
    expect(store.pending.value).toBeUndefined();
    expect([await grow(1, 0, []), await grow(1, 1, ['a']), await grow(1, 3, ['a', 'b'])]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await grow(1, 1, ['a']), await grow(1, 2, ['a'], { version: 'other' })]).toEqual([true, false]);
    expect(store.pending.value).toMatchObject({ index: 1, block: block(1, ['a']) });
    expect(await grow(2, 0, [])).toBe(true);
    expect(store.flashes.value).toHaveLength(3);
  });

  it('has what was missed once it was fetched', async () => {
    for (const name of ['a', 'b']) store.sent(hash(name));
    await grow(1, 0, []);
    await grow(1, 1, ['a']);
    store.begin(block(1, ['a', 'b']), { payloadId: hash('1'), index: 3 });
    expect(store.lifecycles.of(hash('a')).at(-1)).toMatchObject({ kind: 'preconfirmed', flashblock: 1 });
    expect(store.lifecycles.of(hash('b')).at(-1)).toMatchObject({
      kind: 'preconfirmed',
      flashblock: undefined,
    });
    expect(kinds('a')).toEqual(['sent', 'preconfirmed']);
  });
});

describe('the life of a transaction', () => {
  it('goes from the mempool over a flashblock into a sealed block', async () => {
    store.sent(hash('a'));
    await grow(1, 0, []);
    await grow(1, 1, ['a'], { ms: 150 });
    store.seal([block(1, ['a'])]);
    expect(store.lifecycles.of(hash('a'))).toEqual([
      { kind: 'sent', at: 1_000 },
      { kind: 'preconfirmed', at: 1_350, block: 1, flashblock: 1 },
      { kind: 'sealed', at: 1_350, block: 1 },
    ]);
  });

  it('may end with a drop at the seal', async () => {
    await grow(1, 0, ['a', 'b']);
    store.seal([block(1, ['a'], { version: 'other' })]);
    expect(kinds('b')).toEqual(['preconfirmed', 'dropped']);
  });

  it('goes on after a reorg', () => {
    store.seal([block(1, ['a', 'b'])]);
    store.seal([block(1, ['a'], { version: 'other' })]);
    expect(kinds('a')).toEqual(['reorged', 'sealed']);
    expect(kinds('b')).toEqual(['reorged']);
    expect(store.sealed.value.map((it) => it.hash)).toEqual([
      block(0).hash,
      block(1, ['a'], { version: 'other' }).hash,
    ]);
  });

  it('is remembered for the newest 500', () => {
    for (let i = 0; i <= 500; i++) store.sent(hash(`n${i}`));
    expect([kinds('n0'), kinds('n1'), kinds('n500')]).toEqual([[], ['sent'], ['sent']]);
  });
});

describe('outcomes', () => {
  it('are remembered of all transactions in the kept blocks, and of a thousand others', () => {
    const names = (i: number) => [`x${i}`, `y${i}`];
    for (let i = 1; i <= 700; i++) {
      store.outcomes.add(names(i).map((name) => [hash(name), false]));
      store.seal([block(i, names(i))]);
    }
    const known = Array.from({ length: 700 }, (_, i) => store.outcomes.of(hash(`x${i + 1}`)));
    expect(known.filter(Boolean)).toHaveLength(500 + KEPT_BLOCKS);
    expect(known.at(-500 - KEPT_BLOCKS)).toBe('success');
  });
});

describe('sealed blocks', () => {
  it('keep the groups of their flashblocks', async () => {
    await grow(1, 0, []);
    await grow(1, 1, ['a']);
    store.seal([block(1, ['a'])]);
    expect(store.groupsOf(block(1, ['a']))).toEqual([0, 1]);
    expect(store.pending.value).toBeUndefined();
  });

  it('are gone when the head goes back', () => {
    store.seal([block(1), block(2), block(3)]);
    store.seal([block(1)]);
    expect(store.sealed.value.map(({ number }) => Number(number))).toEqual([0, 1]);
  });

  it('are as many as are shown', () => {
    for (let number = 1; number < 100; number++) store.seal([block(number)]);
    expect(store.sealed.value).toHaveLength(KEPT_BLOCKS);
    expect(store.knows(block(99).hash)).toBe(true);
  });

  it('are forgotten with the chain', () => {
    store.sent(hash('a'));
    store.reset();
    expect([store.sealed.value, store.pending.value, kinds('a')]).toEqual([[], undefined, []]);
  });
});
