import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import type { BlockStore } from '../../../../src/chain/store/block-store.ts';
import { CheckedLevel } from '../../../../src/chain/store/checked-level.ts';
import { layoutOf } from '../../../../src/chain/store/data-dir.ts';
import { keyOf, metaKey, PREFIX } from '../../../../src/chain/store/keys.ts';
import { wholeBatch } from '../../../../src/chain/store/verify.ts';
import type { Progress } from '../../../../src/progress.ts';
import { FUZZ } from '../../../fuzz.ts';
import { tryCopyAsKilled } from '../../../killed-copy.ts';
import { ChangingChain, dumpOf, keysOf } from '../changing-chain.ts';
import { content, hex } from '../chronicle.ts';
import { removeDirectoriesAfterEachTest, scratch } from '../directories.ts';

removeDirectoriesAfterEachTest();

const KEEP = 20n;
/** Of a long chain: 20 passes. */
const BLOCKS = 450 * Math.min(FUZZ, 3);

/** All of the chain from `first` on reads as it was written, nothing before does, save the genesis block. */
function expectWhole(store: BlockStore, chain: ChangingChain, label = ''): void {
  const head = store.head.number;
  const at = (number: bigint) => chain.blocks[Number(number - chain.first)]!;
  const seen = new Set<string>();
  for (let number = chain.first; number <= head; number++) {
    const { block, state } = at(number);
    if (number > chain.first && number < store.first) {
      expect(store.getBlock(number), label).toBeUndefined();
      expect(store.getBlock(block.hash), label).toBeUndefined();
      for (const { hash } of block.transactions) expect(store.findTransaction(hash), label).toBeUndefined();
      continue;
    }
    expect(content(store.getBlock(number)), label).toBe(content(block));
    expect(hex(store.stateRootOf(number)), label).toBe(hex(state.root));
    // Every part once: states share most of them.
    for (const [hash, bytes] of chain.partsOf(at(number))) {
      if (seen.has(hash)) continue;
      seen.add(hash);
      const key = hexToBytes(hash);
      const found = store.getNode(key) ?? store.getCode(key);
      if (!found || Buffer.compare(found, bytes) !== 0)
        expect.fail(`${label}: block ${number} lacks ${hash}`);
    }
    for (const [index, { hash }] of block.transactions.entries())
      expect(store.findTransaction(hash), label).toEqual({ number, index });
  }
  const hashes = head - 256n > chain.first ? head - 256n : chain.first;
  for (let number = hashes; number <= head; number++)
    expect(hex(store.hashOf(number)), label).toBe(hex(at(number).block.hash));
  expect(store.genesis, label).toBe(chain.first);
  for (const read of ['hashOf', 'header', 'getBlock', 'stateRootOf'] as const)
    expect(store[read](chain.first - 1n), label).toBeUndefined();
  // Of the oldest state that is kept and of the newest: what the others have is in one of them, nearly always.
  for (const number of [store.first, head]) {
    const { root } = at(number).state;
    expect(dumpOf(store, root), label).toBe(dumpOf(chain.truth, root));
    for (const hash of keysOf(chain.truth, root))
      if (!store.getPreimage(hash)) expect.fail(`${label}: ${bytesToHex(hash)} has no preimage`);
  }
}

/** The database of a directory that nobody has open. */
async function inDatabase<T>(dir: string, use: (db: CheckedLevel) => Promise<T>): Promise<T> {
  const db = new CheckedLevel({ path: layoutOf(dir).database, dir, create: false, fsync: false });
  await db.open();
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}

const keysIn = (dir: string) =>
  inDatabase(dir, async (db) => {
    const counts = new Map<string, number>();
    for await (const key of db.keys()) {
      const prefix = String.fromCharCode(key[0]!);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
    return counts;
  });

const bytesIn = (dir: string) =>
  (readdirSync(dir, { recursive: true }) as string[]).reduce(
    (all, name) => all + statSync(join(dir, name)).size,
    0,
  );

const removeFrom = (dir: string, key: Uint8Array) => inDatabase(dir, (db) => db.write([], [key]));

/** A chain of its own with the directory that it is kept in, which is opened again and again. */
function directory(seed: string, genesis = 0n) {
  const dir = join(scratch(), 'data');
  const chain = new ChangingChain(seed, true, genesis);
  const open = (options: { repair?: boolean } = {}) => chain.open(dir, { keepBlocks: KEEP, ...options });
  return { dir, chain, open };
}

describe('a store that keeps so many blocks', () => {
  it.each([0n, 7_000n])(
    'has those whole, forgets those before, and is the same when it is opened again, from block %s on',
    async (genesis) => {
      const { dir, chain, open } = directory('changing', genesis);
      let store = await open();
      await chain.grow(store, 150);
      await store.pruned();
      expect(store.first).toBeGreaterThan(genesis + 100n);
      expect(store.head.number - store.first + 1n).toBeGreaterThanOrEqual(KEEP);
      expectWhole(store, chain);
      await store.close();
      store = await chain.open(dir, {});
      expectWhole(store, chain);
      // Without the option nothing more is removed, and what was stays gone.
      const { first } = store;
      await chain.grow(store, 60);
      expect(store.first).toBe(first);
      expectWhole(store, chain);
      await store.close();
    },
  );

  it('holds a bounded number of keys and bytes while the state changes', async () => {
    const { dir, chain, open } = directory('long');
    const store = await open();
    await chain.grow(store, BLOCKS);
    await store.pruned();
    expectWhole(store, chain);
    await store.close();
    const all = join(scratch(), 'all');
    const other = await chain.open(all);
    await chain.copyTo(other);
    await other.close();
    const [kept, unpruned] = [await keysIn(dir), await keysIn(all)];
    // However long the chain is, what stays is less than a hundred blocks have.
    for (const prefix of 'bdrts')
      expect(kept.get(prefix), prefix).toBeLessThan((unpruned.get(prefix)! * 100) / BLOCKS);
    expect(kept.get('i')).toBeLessThan(unpruned.get('i')! / 5);
    expect(kept.get('h')).toBeLessThanOrEqual(2 * Number(KEEP) + 257 + 40);
    expect(bytesIn(dir)).toBeLessThan(bytesIn(all));
  });

  it('goes back and on within what it keeps, also while it prunes', async () => {
    const { chain, open } = directory('back');
    let store = await open();
    for (let round = 1; round <= 40; round++) {
      await chain.grow(store, 9);
      const number = store.head.number - BigInt(round % 7);
      await store.setHead(number);
      chain.blocks.splice(Number(number) + 1);
      await chain.commit(store, round);
    }
    await store.pruned();
    expect(store.first).toBeGreaterThan(130n);
    expect(() => store.setHead(store.first - 1n)).toThrow(
      `there is no block ${store.first - 1n} to go back to`,
    );
    expectWhole(store, chain);
    await store.close();
    store = await open({ repair: true });
    expect(store.repaired).toBeUndefined();
    expectWhole(store, chain);
    await store.close();
  });

  it.each([0n, 7_000n])(
    'begins anew at the genesis block, with its state, from block %s on',
    async (genesis) => {
      const { chain, open } = directory('anew', genesis);
      let store = await open();
      await chain.grow(store, 130);
      await store.setHead(genesis);
      chain.blocks.splice(1);
      expect(store.first).toBe(genesis);
      await chain.grow(store, 30);
      expectWhole(store, chain);
      await store.close();
      store = await open();
      expectWhole(store, chain);
      await chain.grow(store, 100);
      await store.pruned();
      expectWhole(store, chain);
      await store.close();
    },
  );

  it('keeps states that are named besides, and drops them when they are named no more', async () => {
    const chain = new ChangingChain('named');
    const named: Uint8Array[] = [];
    const keep = { keepBlocks: KEEP };
    const store = await chain.open(join(scratch(), 'data'), keep, { keptRoots: () => named });
    await chain.grow(store, 5);
    const { root } = chain.blocks[5]!.state;
    named.push(root);
    await chain.grow(store, 100);
    await store.pruned();
    expect(store.first).toBeGreaterThan(5n);
    expect(dumpOf(store, root)).toEqual(dumpOf(chain.truth, root));
    named.pop();
    await chain.grow(store, 100);
    await store.pruned();
    expect(store.getNode(root)).toBeUndefined();
    await store.close();
  });

  it('opens whole, verified, from what a kill at any moment of a pass leaves', async () => {
    const root = scratch();
    const dir = join(root, 'data');
    const chain = new ChangingChain('killed');
    const store = await chain.open(dir, { keepBlocks: KEEP });
    await chain.grow(store, 2 * Number(KEEP) - 3);
    let passing = true;
    const copies: { copy: string; blocks: number }[] = [];
    // Blocks go on meanwhile.
    const blocks = chain.grow(store, 90).then(async () => {
      await store.pruned();
      passing = false;
    });
    // A slow disk makes more turns of it: then every second copy goes.
    for (let turn = 0, stride = Math.ceil(12 / FUZZ); passing; turn++) {
      const copy = join(root, `copy-${turn}`);
      const before = Number(store.head.number);
      if (turn % stride === 0 && tryCopyAsKilled(dir, copy)) copies.push({ copy, blocks: before });
      if (copies.length > 10 * FUZZ) {
        stride *= 2;
        copies.splice(0, copies.length, ...copies.filter((_, i) => i % 2 === 0));
      }
      await new Promise(setImmediate);
    }
    await blocks;
    await store.close();
    expect(copies.length).toBeGreaterThan(4);
    const firsts = new Set<bigint>();
    for (const { copy, blocks: before } of copies) {
      for (const repair of [false, true]) {
        const opened = await chain.open(copy, { repair });
        expect(opened.repaired, copy).toBeUndefined();
        expect(Number(opened.head.number), copy).toBeGreaterThanOrEqual(before);
        expectWhole(opened, chain, copy);
        firsts.add(opened.first);
        if (repair) {
          // What the killed process left of old blocks goes at the next start, without another block.
          opened.goOnPruning();
          await opened.pruned();
          expectWhole(opened, chain, copy);
        }
        const kept = Number(opened.head.number - opened.first) + (opened.first === 0n ? 1 : 2);
        await opened.close();
        if (repair) expect((await keysIn(copy)).get('d'), copy).toBe(kept);
      }
    }
    expect(firsts.size).toBeGreaterThan(1);
  });

  it('frees the space of what it removes, and is no larger meanwhile', async () => {
    const { dir, chain } = directory('space');
    let store = await chain.open(dir);
    await chain.grow(store, 150);
    await store.close();
    const before = bytesIn(dir);
    const progress: (Progress | undefined)[] = [];
    let largest = 0;
    const onPrune = (one: Progress | undefined) => {
      progress.push(one);
      largest = Math.max(largest, bytesIn(dir));
    };
    store = await chain.open(dir, { keepBlocks: KEEP }, { onPrune });
    await chain.grow(store, 1);
    await store.pruned();
    const after = bytesIn(dir);
    expect(after).toBeLessThan(before / 3);
    expect(largest).toBeLessThan(before);
    expect(progress.map((one) => one?.task)).toEqual(
      expect.arrayContaining(['Removing old blocks', undefined]),
    );
    const sizes = progress.flatMap((one) => (one?.unit === 'bytes' ? [one] : []));
    for (const { done, total } of sizes) expect(done).toBeLessThanOrEqual(total!);
    expectWhole(store, chain);
    await store.close();
  });

  it('goes on behind the key that an earlier process has noted', async () => {
    const { dir, chain, open } = directory('noted');
    let store = await open();
    await chain.grow(store, 150);
    await store.pruned();
    await store.close();
    const garbage = [PREFIX.body, PREFIX.transaction].map((prefix) =>
      keyOf(prefix, new Uint8Array(32).fill(7)),
    );
    const [looked, left] = garbage as [Uint8Array, Uint8Array];
    /** Which of both is there after a start. */
    const goOn = async (after: Uint8Array | undefined) => {
      store = await chain.open(dir);
      await store.meta.put('unswept', after ? { after: Buffer.from(after).toString('hex') } : null);
      await store.close();
      await inDatabase(dir, (db) => db.write(garbage.map((key) => [key, Uint8Array.of(1)])));
      store = await chain.open(dir);
      store.goOnPruning();
      await store.pruned();
      expectWhole(store, chain);
      expect(store.meta.get('unswept')).toBeNull();
      await store.close();
      return inDatabase(dir, async (db) => garbage.map((key) => db.get(key) !== undefined));
    };
    expect(await goOn(looked)).toEqual([true, false]);
    expect(await goOn(new Uint8Array(0))).toEqual([false, false]);
    // Nothing is left to do.
    expect(await goOn(undefined)).toEqual([true, true]);
    expect(left[0]).toBeGreaterThan(looked[0]!);
  });

  it('that lost the record of what was pruned is refused, and repaired without loss', async () => {
    const { dir, chain, open } = directory('damaged');
    const store = await open();
    await chain.grow(store, 150);
    await store.pruned();
    const { first } = store;
    await store.close();
    await removeFrom(dir, metaKey('pruned'));
    await expect(open()).rejects.toMatchObject({ code: 'damaged' });
    const mended = await open({ repair: true });
    expect(mended.first).toBe(first);
    expectWhole(mended, chain);
    await chain.grow(mended, 5);
    await mended.close();
  });

  it('that lost a batch is damaged, whoever looks for it', async () => {
    const { dir, open } = directory('gap');
    const store = await open();
    await store.close();
    await inDatabase(dir, async (db) => {
      expect(wholeBatch(db, 1).head.number).toBe(0n);
      expect(() => wholeBatch(db, 2)).toThrow(expect.objectContaining({ code: 'damaged' }));
    });
  });

  it('that lost a block goes back to the one before it', async () => {
    const { dir, chain, open } = directory('lost');
    const store = await open();
    await chain.grow(store, 150);
    await store.pruned();
    const { first } = store;
    await store.close();
    await removeFrom(dir, keyOf(PREFIX.body, chain.blocks[148]!.block.hash));
    await expect(chain.open(dir)).rejects.toMatchObject({ code: 'damaged' });
    const repaired = await open({ repair: true });
    expect(repaired.repaired?.head.number).toBe(147n);
    expect(repaired.first).toBe(first);
    chain.blocks.splice(148);
    expectWhole(repaired, chain);
    await chain.grow(repaired, 100);
    await repaired.pruned();
    expectWhole(repaired, chain);
    await repaired.close();
  });
});
