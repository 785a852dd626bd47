import type { Address } from '@ethereumjs/util';
import type { ChainState } from '../state/chain-state.ts';
import type { Awaitable, StateView, StateWrites } from '../state/view.ts';
import type { Pauses } from '../turns.ts';
import type { BlockWriter } from './block-writer.ts';
import type { ExecuteOptions } from './engine.ts';
import type { DepositLog } from './requests.ts';
import type { BlockEnv, Message, Outcome, Rules } from './types.ts';

/** What a block has before its first transaction. Byte strings have 32 bytes where nothing else is said. */
export interface BlockStart {
  readonly env: BlockEnv;
  readonly parentHash: Uint8Array;
  /** EIP-4788 */
  readonly parentBeaconBlockRoot: Uint8Array;
  readonly excessBlobGas: bigint;
  /** at most 32 bytes */
  readonly extraData: Uint8Array;
}

/** What the end of a block is made from. */
export interface BlockFinish {
  readonly withdrawals: readonly {
    readonly index: bigint;
    readonly validatorIndex: bigint;
    readonly address: Address;
    /** gwei */
    readonly amount: bigint;
  }[];
  /** logs of all transactions, for EIP-6110 */
  readonly logs: readonly DepositLog[];
  /** as the header says it */
  readonly blobGasUsed: bigint;
  /** throws when a system contract is missing or fails (EIP-7002, EIP-7251); otherwise the block has no requests then */
  readonly strict: boolean;
}

/** A sealed block, as far as its engine makes it. Byte strings have 32 bytes where nothing else is said. */
export interface MadeBlock {
  readonly hash: Uint8Array;
  /** of the header's RLP, in bytes */
  readonly headerLength: number;
  readonly stateRoot: Uint8Array;
  readonly transactionsRoot: Uint8Array;
  readonly receiptsRoot: Uint8Array;
  readonly withdrawalsRoot: Uint8Array;
  /** 256 bytes */
  readonly logsBloom: Uint8Array;
  /** EIP-7685: type byte ++ data each, without the empty ones; absent before Prague */
  readonly requests: readonly Uint8Array[] | undefined;
}

export interface BlockMakerOptions {
  /** Pauses for other work when the time slice is used up. For blocks that no tick waits for. */
  readonly background?: Pauses | undefined;
  /**
   * Whether the header gets the root of the state, which {@link BlockMaker.keep} needs: then one block is made.
   * Otherwise it is zero.
   */
  readonly withStateRoot: boolean;
}

/**
 * Blocks that are made whole inside an engine, one after the other on one state: system calls, transactions, list and
 * state roots, header. Nothing that they write leaves the engine before {@link keep}, which is what makes it fast.
 * It has to be ended by {@link keep} or {@link discard}. As a view it is the state after the transactions so far.
 */
export interface BlockMaker extends StateView {
  /** Whether an error that nobody expected makes uncertain what it holds: it can only be discarded then. */
  readonly isLost: boolean;

  /**
   * Opens a block, with the system calls of EIP-4788 and EIP-2935.
   * @param goesOn the block has been opened before, and the state has what was written in it: without these calls. Such a block isn't
   *   sealed here
   * @returns false when this engine can't; nothing has changed then
   */
  open(start: BlockStart, goesOn?: boolean): Awaitable<boolean>;

  /**
   * Executes a message as the next transaction of the open block. The caller has checked the block's gas limits.
   * @param raw the transaction's encoding (EIP-2718)
   * @returns `undefined` when this engine can't execute the message inside a block; nothing has changed then
   */
  add(
    message: Message,
    raw: Uint8Array,
    rules: Rules,
    options: Pick<ExecuteOptions, 'console' | 'numberLogs'>,
  ): Awaitable<Outcome | undefined>;

  /** What writes the open block instead of {@link add} and {@link seal}, where this engine has that. */
  readonly writer?: BlockWriter | undefined;

  /** The nonce of an account, after the transactions so far. */
  nonceOf(address: Address): Awaitable<bigint>;

  /** Writes by somebody else, between two blocks: overrides of a simulation. They must not remove storage. */
  apply(writes: StateWrites): void;

  /**
   * Seals the open block.
   * @returns `undefined` when this engine can't; nothing has changed then
   */
  seal(finish: BlockFinish): Awaitable<MadeBlock | undefined>;

  /** All that was written since the maker was made. */
  writes(): StateWrites;

  /** Ends it. @returns the state with all that was written, and with its root */
  keep(): Awaitable<{ readonly state: ChainState; readonly writes: StateWrites }>;

  /** Ends it, and takes everything back. A second call, or one after {@link keep}, does nothing. */
  discard(): void;
}
