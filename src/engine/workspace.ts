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

/** What a block has before its first transaction. Byte strings have 32 bytes where nothing else is said. */
export interface BlockStart {
  readonly env: BlockEnv;
  readonly parentHash: Uint8Array;
  /** EIP-4788 */
  readonly parentBeaconBlockRoot: Uint8Array;
  readonly excessBlobGas: bigint;
  /** usually at most 32 bytes */
  readonly extraData: Uint8Array;
  /** 8 bytes, only of a block of proof of work; absent = zeros */
  readonly nonce?: Uint8Array | undefined;
}

/** A block that is about to be opened. */
export interface Opening {
  /** what its parent has left */
  readonly state: StateView;
  readonly start: BlockStart;
}

/** A block that is planned, as far as it is needed to open it. */
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

/** What a planned block has before its first transaction. */
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

/** What a block has that was opened before. */
export interface Reopened {
  /** what the senders have paid for */
  readonly gasUsed: bigint;
  readonly counted: CountedGas;
  /** of its access list (EIP-7928), in the form of src/core/state/accesses.ts; absent before Amsterdam */
  readonly accesses?: Accesses | undefined;
}

/** What a block has accessed so far. */
export interface Accesses {
  /** how many indexes have ended: the start of the block, and its transactions */
  readonly indexes: number;
  readonly cells: Uint8Array;
}

/** The access list of a block (EIP-7928). */
export interface AccessListMade {
  readonly hash: Uint8Array;
  /** RLP */
  readonly encoded: Uint8Array;
  /** how many addresses and slots it has */
  readonly items: number;
}

/** What the end of a block is made from. */
export interface BlockFinish {
  /** none before Shanghai */
  readonly withdrawals: readonly {
    readonly index: bigint;
    readonly validatorIndex: bigint;
    readonly address: Address;
    /** gwei */
    readonly amount: bigint;
  }[];
  /** none since the merge */
  readonly uncles: readonly Uncle[];
  /** of all transactions, for EIP-6110 */
  readonly receipts: readonly LoggingReceipt[];
  /** as the header says it */
  readonly blobGasUsed: bigint;
  /**
   * Throws when a system contract is missing or fails, which makes a block invalid (EIP-7002, EIP-7251). Otherwise the block
   * then has no requests: on devnet's own chain a dev write may have replaced the contract.
   */
  readonly strict: boolean;
}

/** A sealed block, as far as its engine makes it. Byte strings have 32 bytes where nothing else is said. */
export interface MadeBlock {
  /** zero without {@link WorkspaceOptions.withStateRoot} */
  readonly stateRoot: Uint8Array;
  /** absent = the root of the list of withdrawals */
  readonly withdrawalsRoot?: Uint8Array | undefined;
  /** EIP-7685: type byte ++ data each, without the empty ones; absent before Prague */
  readonly requests: readonly Uint8Array[] | undefined;
  /** absent before Amsterdam */
  readonly accessList?: AccessListMade | undefined;
  /** absent = the caller makes it from the lists of transactions and receipts */
  readonly header?: MadeHeader | undefined;
  /** absent = the caller encodes them */
  readonly records?: StoreRecords | undefined;
}

/** What the store keeps of a sealed block. */
export interface StoreRecords {
  /** bytes of the block in the encoding of the network */
  readonly size: number;
  /** header, body, receipts, access list (EIP-7928), positions of transactions: see `block-entries.ts` of the store */
  readonly entries: EncodedEntries;
}

/** What the header has of a block's lists, and its own hash. Byte strings have 32 bytes where nothing else is said. */
export interface MadeHeader {
  readonly hash: Uint8Array;
  /** the header's RLP; absent where it is among the records */
  readonly encoded?: Uint8Array | undefined;
  readonly transactionsRoot: Uint8Array;
  readonly receiptsRoot: Uint8Array;
  /** 256 bytes */
  readonly logsBloom: Uint8Array;
}

export interface WorkspaceOptions {
  /** Pauses for other work when the time slice is used up. For blocks that no tick waits for. */
  readonly background?: Pauses | undefined;
  /** Whether headers get the root of the state, which {@link Workspace.keep} needs. Otherwise it is zero. */
  readonly withStateRoot: boolean;
}

/** How a message is executed in a block, see {@link ExecuteOptions}. */
export type AddOptions = Pick<ExecuteOptions, 'console' | 'numberLogs' | 'precompiles'>;

/** What came of a message in a block. */
export interface ExecutedMessage extends Executed {
  /** what it ran, where the engine counts that */
  readonly ran?: CountedRun | undefined;
}

/** A signed transaction that is in the open block, with what a block keeps of its receipt. */
export interface Included {
  readonly kind: 'included';
  /** its sender */
  readonly from: Address;
  /** 32 bytes */
  readonly hash: Uint8Array;
  /** whether it was successful */
  readonly succeeded: boolean;
  /** whether its receipt says so; before EIP-658 it has the root of the state */
  readonly hasStatus: boolean;
  readonly gasUsed: bigint;
  /** since Amsterdam; before it a block counts `gasUsed` */
  readonly counted?: CountedGas | undefined;
  readonly blobGasUsed: bigint;
  /** 256 bytes */
  readonly logsBloom: Uint8Array;
  readonly encodings: ReceiptEncodings;
  /** what it ran, where the engine counts that */
  readonly ran?: CountedRun | undefined;
}

/** A receipt as bytes. */
export interface ReceiptEncodings {
  /** as the store has it: an item of the list in `block-codec.ts` */
  readonly stored: Uint8Array;
  /** as the receipts root is made of it (EIP-2718) */
  readonly consensus: Uint8Array;
  /** how many logs it has */
  readonly logCount: number;
  /** the different terms of its logs: see `log-terms.ts` */
  readonly logTerms: readonly number[];
}

/**
 * A place to make blocks on a state, one after the other: what the protocol writes at their start, transactions, what it writes at
 * their end, roots. Nothing that they write leaves the workspace before {@link keep}. It has to be ended by {@link keep} or
 * {@link discard}.
 */
export interface Workspace {
  /** the state so far; to be read before anything else is written */
  readonly state: StateView;

  /**
   * Opens a block.
   * @param before what it has, if it has been opened before: the state has what was written in it
   */
  open(start: BlockStart, before?: Reopened): Awaitable<void>;

  /** Opens blocks in a row to which nothing is added: only what the protocol writes at their start is written. Lets other work run. */
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

  /** Whether {@link addSigned} decodes an encoded transaction itself, and checks the block's gas limits then. */
  readonly decodes: boolean;

  /**
   * Executes a signed transaction as the next one of the open block. An engine may do so from its encoding, and write its receipt as
   * bytes. The caller has checked the block's gas limits, unless the transaction is encoded: see {@link Executable.isEncoded}.
   */
  addSigned(
    transaction: Executable,
    rules: Rules,
    options: { console: boolean },
  ): Awaitable<Included | ExecutedMessage | Invalid>;

  /** What the open block has accessed so far; absent before Amsterdam. Stays after {@link keep}. */
  readonly accesses?: Accesses | undefined;

  /** The nonce of an account, after the transactions so far. */
  nonceOf(address: Address): Awaitable<bigint>;

  /** Writes by somebody else, between two blocks: overrides of a simulation. They must not be changed until that is done. */
  apply(writes: StateWrites): Awaitable<void>;

  /** Seals the open block. @throws Error see {@link BlockFinish.strict} */
  seal(finish: BlockFinish): Awaitable<MadeBlock>;

  /** All that was written since the workspace was made. */
  writes(): StateWrites;

  /** Ends it. @returns the state with all that was written, and with its root */
  keep(): Awaitable<{ readonly state: ChainState; readonly writes: StateWrites }>;

  /** Ends it, and takes everything back. A second call, or one after {@link keep}, does nothing. */
  discard(): void;
}

/** Does {@link Workspace.openEach}, block by block. */
export async function openEach(
  workspace: Pick<Workspace, 'open'>,
  starts: Iterable<BlockStart>,
): Promise<void> {
  for (const start of starts) {
    // Not awaited where nothing has to be waited for: that takes longer than the rest.
    const pause = giveWay();
    if (pause) await pause;
    const opening = workspace.open(start);
    if (opening instanceof Promise) await opening;
  }
}

/** Lets `use` make blocks in a workspace. What it hasn't kept is taken back. */
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
