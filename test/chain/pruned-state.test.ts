import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Header, TrieBlock } from '../../src/chain/block.ts';
import { Chain } from '../../src/chain/chain.ts';
import { prunableSource } from '../../src/chain/prunable-source.ts';
import { CachedSource, MemorySource } from '../../src/state/node-cache.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { ChangingChain, CONTRACT } from './store/changing-chain.ts';
import { removeDirectoriesAfterEachTest, scratch } from './store/directories.ts';

removeDirectoriesAfterEachTest();

const KEEP = 10n;

it('a state that is pruned while it is read is refused with -32000', async () => {
  const made = new ChangingChain('read');
  const store = await made.open(join(scratch(), 'data'), { keepBlocks: KEEP });
  await made.grow(store, 12);
  const chain = new Chain({ slotsInAnEpoch: 32n, keepBlocks: KEEP }, { store });
  const { state } = chain.resolve({ number: 6n }) as TrieBlock;
  const { state: kept } = chain.resolve({ number: 0n }) as TrieBlock;
  await made.grow(store, 100);
  await store.pruned();
  for (const read of [() => state.getAccount(CONTRACT), () => state.getCode(CONTRACT)])
    expect(read).toThrow(expect.objectContaining({ code: -32000 }));
  expect(kept.getAccount(CONTRACT)).toBeDefined();
  await store.close();
});

it('a node that a kept state lacks is damage, and no such thing', () => {
  const hash = new Uint8Array(32).fill(2);
  const source = prunableSource(
    new CachedSource({}, new MemorySource()),
    { header: { number: 1n } as Header, hash },
    { first: 0n, states: 0n, genesis: 0n, hashOf: () => hash },
  );
  const state = TrieState.at(source, new Uint8Array(32).fill(1));
  expect(() => state.getAccount(CONTRACT)).toThrow(/^missing trie node/);
});
