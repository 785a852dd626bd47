import type { Address } from '@ethereumjs/util';
import type { DevAccount } from '../accounts.ts';
import type { Header, Transaction, TrieBlock } from '../chain/block.ts';
import type { BlockPlan } from '../chain/block-draft.ts';
import type { KeptChain } from '../chain/kept-chain.ts';
import type { ChainReader } from '../chain/refs.ts';
import type { BlockStore } from '../chain/store/block-store.ts';
import type { ManualClock } from '../clock.ts';
import type { HardforkSchedule } from '../evm/hardfork.ts';
import type { Caller } from '../execution/call.ts';
import type { Simulator } from '../execution/simulate/simulator.ts';
import type { Tracing } from '../execution/trace.ts';
import type { Blobs } from '../mempool/blobs.ts';
import type { SentTransactionDecoder } from '../mempool/decode-sent.ts';
import type { Order } from '../mempool/selection.ts';
import type { Controls } from '../sequencer/controls.ts';
import type { Cause } from '../sequencer/inputs.ts';
import type { BuiltBlock } from '../sequencer/mining/build-aside.ts';
import type { MiningMode } from '../sequencer/mining/mode.ts';
import type { History } from '../sequencer/rewrite/history.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Awaitable } from '../state/view.ts';
import type { Shapes } from './compat/shapes.ts';
import type { ForkContext, Refork } from './fork/reader.ts';
import type { Filters } from './push/filters.ts';
import type { Subscriptions } from './push/subscriptions.ts';
import type { AddressIndex } from './read/address-index.ts';
import type { Confirmations } from './send/confirmations.ts';
import type { Signers } from './send/signers.ts';

/**
 * What handlers may use, each part as narrow as they need it. A plain object: the dispatcher copies it to add the
 * connection.
 */
export interface RpcContext {
  readonly chain: ChainReader;
  /** why the request changes the chain: itself, where its method is an input of recordings */
  readonly cause: Cause;
  readonly chainId: bigint;
  /** `anvil/…`: hardhat-network-helpers and forge look at the start */
  readonly clientVersion: string;
  /** the accounts that the node signs for */
  readonly accounts: readonly DevAccount[];
  readonly pool: PoolReader;
  readonly fees: FeeRules;
  /** calls on any block */
  readonly caller: Caller;
  readonly simulator: Simulator;
  /** all that changes the chain */
  readonly sequencer: Sequencer;
  /** all that takes sealed blocks back */
  readonly history: History;
  /** time, mempool and mining as a developer moves them */
  readonly controls: Controls;
  readonly decoder: SentTransactionDecoder;
  /** what came with blob transactions */
  readonly blobs: Pick<Blobs, 'get'>;
  /** The chain between two changes. */
  readonly kept: () => Promise<KeptChain>;
  /** The chain as a file in anvil's format. @param history with all states; see `dumpTexts` */
  readonly dump: (history: boolean) => Promise<AsyncIterable<string>>;
  /** Puts the accounts of such a file into the chain's state, as a dev write. @throws DevnetError -32602 for another file */
  readonly loadDump: (cause: Cause, file: Uint8Array) => Promise<void>;
  readonly signers: Signers;
  /** whose answers are given where nodes differ */
  readonly shapes: Shapes;
  readonly instance: Instance;
  /** the chain that this one was forked from, if it was */
  readonly fork: ForkContext | undefined;
  /** Begins anew on a block of another chain; with `undefined` on this chain's own genesis block. */
  refork(target: Refork | undefined): Promise<void>;
  /** Reads from another node of the chain that this one was forked from. @throws DevnetError -32000 where it wasn't */
  redirectFork(url: string): void;
  /** From now on ECRECOVER answers with `signer` for these 65 bytes, until the process ends. */
  impersonateSignature(cause: Cause, signature: Uint8Array, signer: Address): Promise<void>;
  /** Changes {@link RpcContext.chainId}; the chain of a data directory keeps the one it was made with. */
  setChainId(chainId: bigint): void;
  readonly forks: HardforkSchedule;
  /** blocks, transactions and calls under a tracer */
  readonly tracing: Tracing;
  /** who had to do with which transaction */
  readonly addresses: AddressIndex;
  /** code and state tries by hash */
  readonly database: Pick<BlockStore, 'getCode' | 'getNode'>;
  /**
   * Builds a block that doesn't become part of the chain.
   * @param transactions all of which must go in; those that wait when absent
   */
  readonly buildAside: (
    parent: TrieBlock,
    plan: BlockPlan,
    transactions?: readonly Transaction[],
  ) => Promise<BuiltBlock>;
  /** what changes the chain, written to a file */
  readonly recording: Recording;
  /** every method's own name */
  readonly methodNames: readonly string[];
  readonly subscriptions: Subscriptions;
  readonly filters: Filters;
  readonly confirmations: Confirmations;
  /** What drives the chain, where calls do (`--manual-clock`). */
  readonly manualClock?: ManualClock;
  /** The caller's, where the transport keeps one open (WebSocket). */
  readonly connection?: Connection;
}

/** This run of the node, and what can be set of it. */
export interface Instance {
  /** 32 bytes; another one for each start and each reset, so that tools see that an old deployment is gone */
  id: Uint8Array;
  /** whether calls are reported */
  logs: boolean;
  /** the mode that it started in */
  readonly mode: MiningMode;
  /** milliseconds between partial blocks, where a mode with an interval is switched on */
  readonly flashblockInterval: number;
  /** EthereumJS's name */
  readonly hardfork: string;
  readonly order: Order;
}

/** Writes down what changes the chain. */
export interface Recording {
  /** @throws DevnetError -32000 when it can't: one is under way, or what came before isn't known any more */
  start(path: string): void;
  /** @returns whether one was under way */
  stop(): boolean;
  /** Does what another method does, which is written down as a call of it. See {@link Recorder.call}. */
  as<T>(method: string, params: readonly unknown[], run: (cause: Cause) => T): T;
}

/** What reads need of the mempool. */
export interface PoolReader {
  /** The nonce in the pending view plus the sender's contiguous executable transactions that wait. */
  nextNonce(address: Address): Awaitable<bigint>;
  /** A waiting transaction that look-ups by hash may show; none while flashblocks are on. */
  find(hash: Uint8Array): Transaction | undefined;
  /** The waiting transaction of a sender that has this nonce. */
  at(sender: Address, nonce: bigint): Transaction | undefined;
  /** The executable ones: sender in `0x` hex -> by nonce. */
  pending(): ReadonlyMap<string, readonly Transaction[]>;
  /** Those behind a nonce gap: sender in `0x` hex -> by nonce. */
  queued(): ReadonlyMap<string, readonly Transaction[]>;
  /** Whether a transaction waits. */
  has(hash: Uint8Array): boolean;
}

/** Fees as the chain's rules have them, in wei per gas or per blob gas. */
export interface FeeRules {
  /** Wei per gas offered to the block's producer where nobody says otherwise. */
  readonly suggestedTip: bigint;
  /** those of the block that comes next: the open one, or the one that would be mined now */
  next(): { readonly baseFee: bigint | undefined; readonly blobBaseFee: bigint | undefined };
  /** What is to be offered for each gas in the block that comes next: its base fee and a tip; a price before London. */
  suggestedPrice(): bigint;
  /** EIP-1559: the base fee of the block after `parent`; `undefined` before London */
  nextBaseFee(parent: Header): bigint | undefined;
  /** EIP-4844: the blob base fee in the block; `undefined` before Cancun */
  blobBaseFee(header: Header): bigint | undefined;
  /** EIP-4844: the blob base fee of the block after `parent`; `undefined` before Cancun */
  nextBlobBaseFee(parent: Header): bigint | undefined;
  /** Blob gas that the block may use at most; 0 before Cancun */
  maxBlobGas(header: Header): bigint;
}

/** A caller who stays: what subscriptions write to. */
export interface Connection {
  /**
   * Sends a text (UTF-8) that nobody asked for. A slow reader loses it: `false` when its buffer is full.
   */
  notify(text: Buffer): boolean;
  /** Runs once, when the connection ends; at once if it has ended. */
  onClose(task: () => void): void;
}
