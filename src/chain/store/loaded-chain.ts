import { equalsBytes } from '@ethereumjs/util';
import type { EncodedEntries } from '../../state/encoded-entries.ts';
import type { Block } from '../block.ts';
import { type LogTerm, termsOf } from '../log-terms.ts';
import type { Head } from './batch-record.ts';
import type { BatchWriter, Change } from './batch-writer.ts';
import { type Blobs, blockEntries, stateEntries } from './block-entries.ts';
import type { Entry } from './checked-level.ts';
import { genesisRootMeta } from './genesis-root.ts';
import { keyOf, PREFIX } from './keys.ts';
import { type Pruned, prunedMeta } from './pruner/pruned.ts';
import { coveredMeta, logEntries } from './stored-logs.ts';

/** A block encoded for the store. Takes an eighth of the memory of a decoded block. */
export interface EncodedBlock {
  readonly head: Head;
  /** terms of its logs */
  readonly terms: readonly LogTerm[];
  readonly entries: Entry[];
}

/** An imported chain with its known states. */
export interface LoadedChain {
  /** consecutive blocks, the genesis block first */
  readonly blocks: readonly EncodedBlock[];
  /** number of the first block whose state is known, besides the genesis block's */
  readonly states: bigint;
  /** root of the state to which a reset returns */
  readonly genesisRoot: Uint8Array;
  readonly nodes: Blobs;
  readonly code: Blobs;
  readonly preimages: Blobs;
  /** more nodes, code and preimages, already encoded */
  readonly encoded: readonly EncodedEntries[];
}

/** @param stateRoot root of the state that the block's view reads */
export function encodedBlock(block: Block, stateRoot: Uint8Array): EncodedBlock {
  const { header, hash } = block;
  const terms = termsOf(block.receipts);
  const entries = [...blockEntries(block), ...logEntries({ number: header.number, hash }, terms)];
  if (!equalsBytes(header.stateRoot, stateRoot)) entries.push([keyOf(PREFIX.stateRoot, hash), stateRoot]);
  return { head: { number: header.number, hash, stateRoot }, terms, entries };
}

/**
 * Fills an empty store with a chain, in one write: if the process is killed, the store stays empty.
 * @param done receives the extent of the stored states
 */
export function loadInto(
  writer: BatchWriter,
  chain: LoadedChain,
  done: (pruned: Pruned) => void,
): Promise<void> {
  const { blocks, states, genesisRoot, nodes, code, preimages, encoded } = chain;
  const pruned = { first: 0n, batch: 1, states };
  return writer.writeAll('block', () => {
    if (writer.head) throw new Error('the store has blocks already');
    return blocks.map(({ head, entries }, index): Change => {
      if (index < blocks.length - 1) return { head, entries };
      return {
        head,
        entries: [...entries, ...stateEntries({ nodes, code, preimages })],
        encoded,
        meta: {
          ...prunedMeta(pruned),
          ...genesisRootMeta(blocks[0]!.head.hash, genesisRoot),
          ...coveredMeta(head),
        },
        done: () => done(pruned),
      };
    });
  });
}
