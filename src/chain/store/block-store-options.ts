import type { Block } from '../block.ts';
import type { Meta } from './batch-writer.ts';
import type { DecodeTransaction } from './block-codec.ts';
import type { Blobs } from './block-entries.ts';
import type { ChainIdentity } from './data-dir.ts';
import type { KeptBlocks } from './pruner/pruner.ts';

export interface BlockStoreOptions {
  readonly identity: ChainIdentity;
  /** Version of the program, noted in a new directory. */
  readonly createdBy: string;
  /** Each batch waits for the disk: what was announced survives power loss too. */
  readonly fsync?: boolean;
  /** Nobody opens the directory after this process: see {@link CheckedLevelOptions.scratch}. */
  readonly scratch?: boolean;
  /** A damaged directory goes back to its last whole block, see {@link BlockStore.repaired}. */
  readonly repair?: boolean;
  /** decoded blocks kept in memory; 256 unless told otherwise */
  readonly cacheBlocks?: number;
  /** Blocks below so many of the newest ones may be removed, with the state that only they reach. Absent = none is. */
  readonly keepBlocks?: bigint;
}

export interface BlockStoreDeps {
  readonly decodeTransaction: DecodeTransaction;
  /** Roots of states that aren't to be removed, besides those that blocks' views read; asked in each pass. */
  readonly keptRoots?: (kept: KeptBlocks) => Iterable<Uint8Array>;
  /** Old blocks can't be removed: the directory is damaged. Nothing else is held up. */
  readonly onPruneError?: (error: unknown) => void;
}

/** State as a batch carries it. */
export interface PatchBatch {
  /** Root of the state which the block's view reads: the header's, unless dev writes stand on it. */
  readonly stateRoot: Uint8Array;
  readonly nodes: Blobs;
  readonly code: Blobs;
  /** addresses and slots by their hash */
  readonly preimages?: Blobs;
  /** written in the same batch */
  readonly meta?: Meta;
}

export interface BlockBatch extends PatchBatch {
  readonly block: Block;
}
