import { join } from 'node:path';
import type { TypedTransaction } from '@ethereumjs/tx';
import { bytesToHex } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../../src/chain/block.ts';
import type { BlockStore } from '../../../src/chain/store/block-store.ts';
import { copyAsKilled } from '../../killed-copy.ts';
import { genesis, newStore, openStore, removeDirectoriesAfterEachTest, scratch } from './directories.ts';
import { Bytes, blockOn, impersonated, nodesOf, signed } from './sample-blocks.ts';

removeDirectoriesAfterEachTest();

const noState = { nodes: [], code: [] };

async function commit(store: BlockStore, block: Block): Promise<void> {
  await store.commit({ block, stateRoot: block.header.stateRoot, ...noState });
}

/** Blocks 1 to `count`, each with a legacy and a 1559 transaction. */
async function grow(store: BlockStore, count: number, seed: string): Promise<Block[]> {
  const bytes = new Bytes(seed);
  const blocks: Block[] = [];
  for (let i = 0; i < count; i++) {
    const parent = store.getBlock(store.head.number)!;
    const block = blockOn(parent, bytes, [signed(0, i, bytes), signed(2, i, bytes)]);
    await commit(store, block);
    blocks.push(block);
  }
  return blocks;
}

/** A block without the objects behind its transactions, which differ from run to run in what they memoize. */
function plain(block: Block | undefined) {
  return (
    block && {
      ...block,
      transactions: block.transactions.map(({ tx, from, hash, impersonated }) => [
        bytesToHex((tx as TypedTransaction).serialize()),
        from.toString(),
        bytesToHex(hash),
        impersonated,
      ]),
    }
  );
}

describe('sealed blocks', () => {
  it('read back the same after a reopen, transactions of all types included', async () => {
    const dir = scratch();
    const bytes = new Bytes('all types');
    const transactions = [0, 1, 2, 3, 4].map((type) => signed(type, type, bytes));
    const block = blockOn(genesis, bytes, [...transactions, impersonated(9, bytes)]);
    let store = await newStore(dir);
    await commit(store, block);
    await store.close();

    store = await openStore(dir);
    expect(store.head).toEqual({ number: 1n, hash: block.hash, stateRoot: block.header.stateRoot });
    expect(plain(store.getBlock(1n))).toEqual(plain(block));
    expect(plain(store.getBlock(block.hash))).toEqual(plain(block));
    expect(store.getBlock(1n)).toBe(store.getBlock(block.hash));
    expect(plain(store.getBlock(0n))).toEqual(plain(genesis));
    expect(store.header(1n)).toEqual(block.header);
    expect(store.hashOf(1n)).toEqual(block.hash);
    for (const [index, { hash }] of block.transactions.entries())
      expect(store.findTransaction(hash)).toEqual({ number: 1n, index });
    await store.close();
  });

  it('are unknown where there are none', async () => {
    const store = await newStore(scratch());
    const hash = new Bytes('nowhere').take(32);
    expect(store.getBlock(1n)).toBeUndefined();
    expect(store.getBlock(-1n)).toBeUndefined();
    expect(store.getBlock(hash)).toBeUndefined();
    expect(store.header(1n)).toBeUndefined();
    expect(store.stateRootOf(1n)).toBeUndefined();
    expect(store.findTransaction(hash)).toBeUndefined();
    expect(store.getNode(hash)).toBeUndefined();
    expect(store.getCode(hash)).toBeUndefined();
    await store.close();
  });

  it('must follow the head', async () => {
    const store = await newStore(scratch());
    const bytes = new Bytes('stranger');
    const first = blockOn(genesis, bytes);
    await expect(commit(store, blockOn(first, bytes))).rejects.toThrow();
    await expect(commit(store, blockOn({ ...genesis, hash: bytes.take(32) }, bytes))).rejects.toThrow();
    await commit(store, first);
    expect(store.head.number).toBe(1n);
    await store.close();
  });

  it('commit in the order asked for, without waiting in between', async () => {
    const dir = scratch();
    const store = await newStore(dir);
    const bytes = new Bytes('burst');
    const blocks = [genesis];
    for (let i = 0; i < 20; i++) blocks.push(blockOn(blocks.at(-1)!, bytes));
    await Promise.all(blocks.slice(1).map((block) => commit(store, block)));
    expect(store.head.hash).toEqual(blocks.at(-1)!.hash);
    await store.close();
  });

  it('are there for a process that opens what a killed one left, after each commit', async () => {
    const dir = scratch();
    const store = await newStore(join(dir, 'live'));
    const bytes = new Bytes('killed');
    let parent = genesis;
    for (let i = 1; i <= 12; i++) {
      const block = blockOn(parent, bytes, [signed(2, i, bytes)]);
      const nodes = nodesOf(20, bytes);
      await store.commit({ block, stateRoot: block.header.stateRoot, nodes, code: [] });
      // What the system holds of the files is what a new process finds after a kill.
      copyAsKilled(join(dir, 'live'), join(dir, `copy-${i}`));
      const copy = await openStore(join(dir, `copy-${i}`));
      expect(copy.head.hash).toEqual(block.hash);
      expect(plain(copy.getBlock(copy.head.number))).toEqual(plain(block));
      for (const [hash, node] of nodes) expect(copy.getNode(hash)).toEqual(node);
      await copy.close();
      parent = block;
    }
    await store.close();
  });

  it('hold no state of a view that was committed', async () => {
    const store = await newStore(scratch());
    const view = { ...blockOn(genesis, new Bytes('view')), state: {}, sealed: true };
    await commit(store, view);
    expect(store.getBlock(1n)).not.toHaveProperty('state');
    await store.close();
  });
});

describe('going back', () => {
  it('hides blocks and transactions above the new head, then and after a reopen', async () => {
    const dir = scratch();
    let store = await newStore(dir);
    const blocks = await grow(store, 6, 'old');
    await store.setHead(2n);
    for (const state of ['live', 'reopened']) {
      expect(store.head, state).toMatchObject({ number: 2n, hash: blocks[1]!.hash });
      const gone = blocks[2]!;
      expect(store.getBlock(3n)).toBeUndefined();
      expect(store.hashOf(3n)).toBeUndefined();
      expect(store.getBlock(gone.hash)).toBeUndefined();
      expect(store.findTransaction(gone.transactions[0]!.hash)).toBeUndefined();
      expect(store.findTransaction(blocks[1]!.transactions[1]!.hash)).toEqual({ number: 2n, index: 1 });
      await store.close();
      store = await openStore(dir);
    }
    await store.close();
  });

  it('lets another chain grow, of which alone the blocks are canonical', async () => {
    const dir = scratch();
    let store = await newStore(dir);
    const old = await grow(store, 5, 'old');
    await store.setHead(1n);
    const fresh = await grow(store, 2, 'new');
    for (const state of ['live', 'reopened']) {
      expect(store.getBlock(old[1]!.hash), state).toBeUndefined();
      expect(store.findTransaction(old[1]!.transactions[0]!.hash)).toBeUndefined();
      expect(plain(store.getBlock(2n))).toEqual(plain(fresh[0]));
      expect(store.findTransaction(fresh[1]!.transactions[0]!.hash)).toEqual({ number: 3n, index: 0 });
      expect(store.getBlock(4n)).toBeUndefined();
      await store.close();
      store = await openStore(dir);
    }
    await store.close();
  });

  it('lets a transaction stand in a new block', async () => {
    const store = await newStore(scratch());
    const bytes = new Bytes('again');
    const transaction = signed(2, 0, bytes);
    await commit(store, blockOn(genesis, bytes, [transaction]));
    await store.setHead(0n);
    await commit(store, blockOn(genesis, bytes, [signed(2, 1, bytes), transaction]));
    expect(store.findTransaction(transaction.hash)).toEqual({ number: 1n, index: 1 });
    await store.close();
  });

  it('fails where there is no such block', async () => {
    const store = await newStore(scratch());
    expect(() => store.setHead(1n)).toThrow('there is no block 1 to go back to');
    expect(store.head.number).toBe(0n);
    await store.close();
  });
});

describe('dev writes on the head', () => {
  it('give the block another state root, which survives later blocks and a reopen', async () => {
    const dir = scratch();
    const bytes = new Bytes('patch');
    let store = await newStore(dir);
    const [block] = await grow(store, 1, 'patched');
    const patched = bytes.take(32);
    const nodes = nodesOf(4, bytes);
    await store.commitPatch({ stateRoot: patched, nodes, code: [] });
    expect(store.head.stateRoot).toEqual(patched);
    await grow(store, 1, 'later');
    await store.close();

    store = await openStore(dir);
    expect(store.stateRootOf(1n)).toEqual(patched);
    expect(store.header(1n)).toEqual(block!.header);
    expect(store.stateRootOf(2n)).toEqual(store.header(2n)!.stateRoot);
    expect(store.stateRootOf(0n)).toEqual(genesis.header.stateRoot);
    for (const [hash, node] of nodes) expect(store.getNode(hash)).toEqual(node);
    await store.close();
  });

  it('are undone by going back to the block with the root it had', async () => {
    const dir = scratch();
    const bytes = new Bytes('unpatch');
    let store = await newStore(dir);
    const [block] = await grow(store, 1, 'patched');
    await store.commitPatch({ stateRoot: bytes.take(32), ...noState });
    await grow(store, 2, 'later');
    await store.setHead(1n, { stateRoot: block!.header.stateRoot });
    for (const state of ['live', 'reopened']) {
      expect(store.head, state).toEqual({
        number: 1n,
        hash: block!.hash,
        stateRoot: block!.header.stateRoot,
      });
      expect(store.stateRootOf(1n)).toEqual(block!.header.stateRoot);
      await store.close();
      store = await openStore(dir);
    }
    await store.close();
  });

  it('stay when the head goes back to the block without naming a root', async () => {
    const store = await newStore(scratch());
    await grow(store, 1, 'patched');
    const patched = new Bytes('stay').take(32);
    await store.commitPatch({ stateRoot: patched, ...noState });
    await grow(store, 1, 'later');
    await store.setHead(1n);
    expect(store.head.stateRoot).toEqual(patched);
    await store.close();
  });

  it("don't stick to the same block when it is committed anew", async () => {
    const store = await newStore(scratch());
    const [block] = await grow(store, 1, 'patched');
    await store.commitPatch({ stateRoot: new Bytes('x').take(32), ...noState });
    await store.setHead(0n);
    await commit(store, block!);
    expect(store.stateRootOf(1n)).toEqual(block!.header.stateRoot);
    await store.close();
  });
});

describe('metadata', () => {
  it('survives a reopen, whether put alone or with a block', async () => {
    const dir = scratch();
    let store = await newStore(dir);
    await store.meta.put('offset', { seconds: 12 });
    const block = blockOn(genesis, new Bytes('meta'));
    await store.commit({ block, stateRoot: block.header.stateRoot, ...noState, meta: { seed: 'a' } });
    await store.close();
    store = await openStore(dir);
    expect(store.meta.get('offset')).toEqual({ seconds: 12 });
    expect(store.meta.get('seed')).toBe('a');
    expect(store.meta.get('other')).toBeUndefined();
    expect(store.head.number).toBe(1n);
    await store.close();
  });
});
