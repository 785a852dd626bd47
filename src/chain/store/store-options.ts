import type { OnProgress, Progress } from '../../progress.ts';
import type { EncodedEntries } from '../../state/encoded-entries.ts';
import type { Block } from '../block.ts';
import type { Reservation } from '../reservation.ts';
import type { Meta } from './batch-writer.ts';
import type { DecodeTransaction } from './block-codec.ts';
import type { Blobs } from './block-entries.ts';
import type { ChainIdentity } from './data-dir.ts';
import type { Disk } from './disk.ts';
import type { StoreCopy } from './fill-copy.ts';
import type { KeptRange } from './pruner/pruner.ts';

export interface StoreOptions {
  readonly identity: ChainIdentity;
  /** Version of the program, recorded in a new directory. */
  readonly createdBy: string;
  /** No chain has begun in the directory yet: the process that created it was killed before. */
  readonly begins?: boolean;
  /** Each change waits for the disk, so that reported changes survive power loss too. */
  readonly fsync?: boolean;
  /** The directory isn't opened again after this process: see {@link CheckedLevelOptions.scratch}. */
  readonly scratch?: boolean;
  /** See {@link CheckedLevelOptions.room}. */
  readonly room?: number;
  /** See {@link CheckedLevelOptions.thread}. */
  readonly thread?: URL;
  /** See {@link CheckedLevelOptions.threadAfter}. */
  readonly threadAfter?: number;
  /** Repairs a damaged directory by rolling back to its last complete block, see {@link BlockStore.repaired}. */
  readonly repair?: boolean;
  /**
   * Number of the newest blocks to keep. Older ones may be removed, with the state that only they reach. Absent = all blocks
   * are kept.
   */
  readonly keepBlocks?: bigint;
  /** Content for the directory, which must be empty. */
  readonly copy?: StoreCopy | undefined;
}

export interface StoreDeps {
  readonly decodeTransaction: DecodeTransaction;
  /** default: the machine's disk */
  readonly disk?: Disk | undefined;
  /** Roots of states to keep, besides those that blocks' views read; called in each pass. */
  readonly keptRoots?: (kept: KeptRange) => Iterable<Uint8Array>;
  /** Called when old blocks can't be removed because the directory is damaged. The node continues otherwise. */
  readonly onPruneError?: (error: unknown) => void;
  /** Called with the progress of pruning, and with `undefined` when it has ended. */
  readonly onPrune?: ((progress: Progress | undefined) => void) | undefined;
  /** Called with the progress of opening a directory. */
  readonly onProgress?: OnProgress | undefined;
}

/** The entries that a state adds to the store. */
export interface StateBatch {
  readonly nodes: Blobs;
  readonly code: Blobs;
  /** addresses and slots, by their keccak256 */
  readonly preimages?: Blobs;
  /** the same entries, encoded for the store; absent if the core didn't encode them */
  readonly encoded?: EncodedEntries | undefined;
}

/** The state that a batch stores. */
export interface PatchBatch extends StateBatch {
  /** Root of the state that the block's view reads: the header's, unless dev writes changed the state. */
  readonly stateRoot: Uint8Array;
  /** values by name, written in the same batch */
  readonly meta?: Meta;
}

export interface StoreBatch extends PatchBatch {
  readonly block: Block;
}

/** A reservation, and the entries of the state after it, see `stateAfter`. The next block of the same write is built on that state. */
export interface ReservedBatch extends StateBatch {
  readonly reservation: Reservation;
  /** values by name, written in the same batch */
  readonly meta?: Meta;
}
