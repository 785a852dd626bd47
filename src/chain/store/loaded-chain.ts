import { equalsBytes } from '@ethereumjs/util';
import type { Block } from '../block.ts';
import type { Head } from './batch-record.ts';
import type { BatchWriter, Change } from './batch-writer.ts';
import { type Blobs, blockEntries, stateEntries } from './block-entries.ts';
import type { Entry } from './checked-level.ts';
import { genesisRootMeta } from './genesis-root.ts';
import { keyOf, PREFIX } from './keys.ts';
import { type Pruned, prunedMeta } from './pruner/pruned.ts';

/** A block as it goes into the store, an eighth of its size in memory. */
export interface EncodedBlock {
  readonly head: Head;
  readonly entries: Entry[];
}

/** A chain from elsewhere, with the states that are known of it. */
export interface LoadedChain {
  /** in a row, the genesis block first */
  readonly blocks: readonly EncodedBlock[];
  /** number of the first block whose state is known, besides the genesis block's */
  readonly states: bigint;
  /** of the state that a reset goes back to */
  readonly genesisRoot: Uint8Array;
  readonly nodes: Blobs;
  readonly code: Blobs;
  readonly preimages: Blobs;
}

/** @param stateRoot of the state that the block's view reads */
export function encodedBlock(block: Block, stateRoot: Uint8Array): EncodedBlock {
  const { header, hash } = block;
  const entries = blockEntries(block);
  if (!equalsBytes(header.stateRoot, stateRoot)) entries.push([keyOf(PREFIX.stateRoot, hash), stateRoot]);
  return { head: { number: header.number, hash, stateRoot }, entries };
}

/**
 * Fills an empty store with a chain. All of it is written at once: a killed process leaves it empty.
 * @param done takes what is known of states from then on
 */
export function loadInto(
  writer: BatchWriter,
  chain: LoadedChain,
  done: (pruned: Pruned) => void,
): Promise<void> {
  const { blocks, states, genesisRoot } = chain;
  const pruned = { first: 0n, batch: 1, states };
  return writer.writeAll('block', () => {
    if (writer.head) throw new Error('the store has blocks already');
    return blocks.map(({ head, entries }, index): Change => {
      if (index < blocks.length - 1) return { head, entries };
      return {
        head,
        entries: [...entries, ...stateEntries(chain)],
        meta: { ...prunedMeta(pruned), ...genesisRootMeta(blocks[0]!.head.hash, genesisRoot) },
        done: () => done(pruned),
      };
    });
  });
}
