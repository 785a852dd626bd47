import type { Address } from '@ethereumjs/util';
import type { LoggingReceipt } from '../protocol/requests.ts';
import type { Uncle } from '../protocol/rewards.ts';
import type { BlockEnv, CountedGas, Executed, Invalid, Message, Rules } from '../protocol/types.ts';
import { ZERO_HASH } from '../state/account.ts';
import type { ChainState } from '../state/chain-state.ts';
import type { EncodedEntries } from '../state/encoded-entries.ts';
import type { Awaitable, StateView, StateWrites } from '../state/view.ts';
import { giveWay, type Pauses } from '../turns.ts';
import type { ExecuteOptions } from './engine.ts';
import type { Executable } from './message.ts';
import type { CountedRun } from './run-counts.ts';

/** The input of a block that is known before its first transaction. Byte strings have 32 bytes unless stated otherwise. */
export interface BlockStart {
  readonly env: BlockEnv;
  readonly parentHash: Uint8Array;
  /** EIP-4788 */
  readonly parentBeaconBlockRoot: Uint8Array;
  readonly excessBlobGas: bigint;
  /** usually at most 32 bytes */
  readonly extraData: Uint8Array;
  /** 8 bytes, only for a proof-of-work block; absent = zeros */
  readonly nonce?: Uint8Array | undefined;
}

/** A block that is about to be opened. */
export interface Opening {
  /** the state after its parent */
  readonly state: StateView;
  readonly start: BlockStart;
}

/** A planned block: the part of it that is needed to open it. */
export interface PlannedStart {
  readonly env: BlockEnv;
  readonly parent: { readonly hash: Uint8Array };
  readonly plan: {
    /** EIP-4788; zero when unknown */
    readonly parentBeaconBlockRoot?: Uint8Array;
    readonly extraData: Uint8Array;
    readonly nonce?: Uint8Array;
  };
  readonly excessBlobGas: bigint | undefined;
}

/** The start of a planned block. */
export function startOf({ parent, plan, env, excessBlobGas = 0n }: PlannedStart): BlockStart {
  return {
    env,
    parentHash: parent.hash,
    parentBeaconBlockRoot: plan.parentBeaconBlockRoot ?? ZERO_HASH,
    excessBlobGas,
    extraData: plan.extraData,
    nonce: plan.nonce,
  };
}

/** The progress of a block that was opened before, and is opened again to continue it. */
export interface Reopened {
  /** gas that the senders have paid for */
  readonly gasUsed: bigint;
  readonly counted: CountedGas;
  /** its block access list so far (EIP-7928), in the format of src/core/state/accesses.ts; absent before Amsterdam */
  readonly accesses?: Accesses | undefined;
}

/** The accounts and slots that a block has accessed so far. */
export interface Accesses {
  /** the number of completed block access indexes: the start of the block counts as one, and each transaction */
  readonly indexes: number;
  readonly cells: Uint8Array;
}

/** The access list of a block (EIP-7928). */
export interface BlockAccessList {
  readonly hash: Uint8Array;
  /** RLP */
  readonly encoded: Uint8Array;
  /** the number of addresses and storage keys in it */
  readonly items: number;
}

/** The input for the end of a block. */
export interface BlockFinish {
  /** empty before Shanghai */
  readonly withdrawals: readonly {
    readonly index: bigint;
    readonly validatorIndex: bigint;
    readonly address: Address;
    /** gwei */
    readonly amount: bigint;
  }[];
  /** empty since the merge */
  readonly uncles: readonly Uncle[];
  /** of all transactions in the block, for the deposit requests of EIP-6110 */
  readonly receipts: readonly LoggingReceipt[];
  /** the value of the header field */
  readonly blobGasUsed: bigint;
  /**
   * If true, sealing throws when a system contract is missing or fails, which makes a block invalid (EIP-7002, EIP-7251). Otherwise the
   * block has no requests in that case: on devnet's own chain a dev write may have replaced the contract.
   */
  readonly strict: boolean;
}

/** A sealed block: the parts of it that the engine makes. Byte strings have 32 bytes unless stated otherwise. */
export interface MadeBlock {
  /** zero without {@link WorkspaceOptions.withStateRoot} */
  readonly stateRoot: Uint8Array;
  /** absent = the withdrawals root is computed from the list of withdrawals */
  readonly withdrawalsRoot?: Uint8Array | undefined;
  /** EIP-7685: type byte ++ data for each non-empty request; absent before Prague */
  readonly requests: readonly Uint8Array[] | undefined;
  /** absent before Amsterdam */
  readonly accessList?: BlockAccessList | undefined;
  /** absent = the caller builds the header from the lists of transactions and receipts */
  readonly header?: MadeHeader | undefined;
  /** absent = the caller encodes the records */
  readonly records?: StoreRecords | undefined;
}

/** The records that the store keeps for a sealed block. */
export interface StoreRecords {
  /** size of the block in bytes, in the network's encoding */
  readonly size: number;
  /** header, body, receipts, block access list (EIP-7928), positions of transactions: see `block-entries.ts` of the store */
  readonly entries: EncodedEntries;
}

/** The header fields that depend on a block's lists, and the block hash. Byte strings have 32 bytes unless stated otherwise. */
export interface MadeHeader {
  readonly hash: Uint8Array;
  /** the header's RLP; absent if the header is among the records */
  readonly encoded?: Uint8Array | undefined;
  readonly transactionsRoot: Uint8Array;
  readonly receiptsRoot: Uint8Array;
  /** 256 bytes */
  readonly logsBloom: Uint8Array;
}

export interface WorkspaceOptions {
  /** Pauses for other work when the time slice is used up. For blocks made in the background, which no tick of the event loop waits for. */
  readonly background?: Pauses | undefined;
  /** Whether headers contain the state root, which {@link Workspace.keep} requires. Otherwise the field is zero. */
  readonly withStateRoot: boolean;
}

/** The options with which a message is executed in a block, see {@link ExecuteOptions}. */
export type AddOptions = Pick<ExecuteOptions, 'console' | 'numberLogs' | 'precompiles'>;

/** The outcome of a message that was executed in a block. */
export interface ExecutedMessage extends Executed {
  /** what the transaction ran; absent if the engine doesn't count that */
  readonly ran?: CountedRun | undefined;
}

/** A signed transaction that is in the open block, with the data that a block keeps of its receipt. */
export interface Included {
  readonly kind: 'included';
  /** its sender */
  readonly from: Address;
  /** 32 bytes */
  readonly hash: Uint8Array;
  /** whether it was successful */
  readonly succeeded: boolean;
  /** whether the receipt contains the status; before EIP-658 it contains the state root instead */
  readonly hasStatus: boolean;
  readonly gasUsed: bigint;
  /** since Amsterdam; before that a block counts `gasUsed` */
  readonly counted?: CountedGas | undefined;
  readonly blobGasUsed: bigint;
  /** 256 bytes */
  readonly logsBloom: Uint8Array;
  readonly encodings: ReceiptEncodings;
  /** what the transaction ran; absent if the engine doesn't count that */
  readonly ran?: CountedRun | undefined;
}

/** A receipt in its encodings. */
export interface ReceiptEncodings {
  /** the encoding in the store: an item of the list in `block-codec.ts` */
  readonly stored: Uint8Array;
  /** the encoding from which the receipts root is computed (EIP-2718) */
  readonly consensus: Uint8Array;
  /** how many logs it has */
  readonly logCount: number;
  /** the distinct terms of its logs, for the log index: see `log-terms.ts` */
  readonly logTerms: readonly number[];
}

/**
 * Makes blocks on a state, one after the other: the writes of the protocol at their start, transactions, the writes of the protocol at
 * their end, roots. No write leaves the workspace before {@link keep}. The caller must end the workspace by {@link keep} or {@link
 * discard}.
 */
export interface Workspace {
  /** the current state; must be read before the next write */
  readonly state: StateView;

  /**
   * Opens a block.
   * @param before the progress of a block that was opened before: the state already contains the block's writes so far
   */
  open(start: BlockStart, before?: Reopened): Awaitable<void>;

  /** Opens consecutive empty blocks: only the protocol's writes at their start are made. Yields to other work in between. */
  openEach(starts: Iterable<BlockStart>): Promise<void>;

  /**
   * Executes a message as the next transaction of the open block. The caller has checked the block's gas limits.
   * @param raw the transaction's encoding (EIP-2718)
   */
  add(
    message: Message,
    raw: Uint8Array,
    rules: Rules,
    options: AddOptions,
  ): Awaitable<ExecutedMessage | Invalid>;

  /** Whether {@link addSigned} decodes an encoded transaction itself; it then also checks the block's gas limits. */
  readonly decodes: boolean;

  /**
   * Executes a signed transaction as the next one of the open block. An engine may execute it directly from its encoding, and write its
   * receipt as bytes. The caller has checked the block's gas limits, unless the transaction is encoded: see {@link Executable.isEncoded}.
   */
  addSigned(
    transaction: Executable,
    rules: Rules,
    options: { console: boolean },
  ): Awaitable<Included | ExecutedMessage | Invalid>;

  /** The accounts and slots that the open block has accessed so far; absent before Amsterdam. Remains readable after {@link keep}. */
  readonly accesses?: Accesses | undefined;

  /** Returns the nonce of an account after the transactions so far. */
  nonceOf(address: Address): Awaitable<bigint>;

  /**
   * Applies writes from outside between two blocks: the overrides of a simulation. The caller must not change them until this has
   * completed.
   */
  apply(writes: StateWrites): Awaitable<void>;

  /** Seals the open block. @throws Error see {@link BlockFinish.strict} */
  seal(finish: BlockFinish): Awaitable<MadeBlock>;

  /** Returns all writes since the workspace was made. */
  writes(): StateWrites;

  /** Ends the workspace. @returns the state with all writes, and with its root */
  keep(): Awaitable<{ readonly state: ChainState; readonly writes: StateWrites }>;

  /** Ends the workspace and rolls back all its writes. Does nothing if the workspace has ended already. */
  discard(): void;
}

/** Implements {@link Workspace.openEach} by opening one block at a time. */
export async function openEach(
  workspace: Pick<Workspace, 'open'>,
  starts: Iterable<BlockStart>,
): Promise<void> {
  for (const start of starts) {
    // `await` is used only if there is a promise: an `await` takes longer than the rest of this loop.
    const pause = giveWay();
    if (pause) await pause;
    const opening = workspace.open(start);
    if (opening instanceof Promise) await opening;
  }
}

/** Runs `use`, which makes blocks in a workspace. Writes that `use` hasn't kept are rolled back. */
export function makeIn<T>(workspace: Pick<Workspace, 'discard'>, use: () => Awaitable<T>): Awaitable<T> {
  const discard = () => workspace.discard();
  try {
    const used = use();
    if (used instanceof Promise) return used.finally(discard);
    discard();
    return used;
  } catch (error) {
    discard();
    throw error;
  }
}
