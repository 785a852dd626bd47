import type { Address } from '@ethereumjs/util';
import type { DevAccount } from '../accounts.ts';
import type { Transaction, TrieBlock } from '../chain/block.ts';
import type { BlockPlan } from '../chain/block-draft.ts';
import type { FrozenChain } from '../chain/frozen-chain.ts';
import type { ChainReader } from '../chain/refs.ts';
import type { BlockStore } from '../chain/store/block-store.ts';
import type { ManualClock } from '../clock.ts';
import type { Executions } from '../debugger/executions.ts';
import type { Caller } from '../execution/call.ts';
import type { Simulator } from '../execution/simulate/simulator.ts';
import type { Tracing } from '../execution/trace.ts';
import type { Blobs } from '../mempool/blobs.ts';
import type { SentTransactionDecoder } from '../mempool/decode-sent.ts';
import type { Order } from '../mempool/selection.ts';
import type { HardforkSchedule } from '../protocol/hardfork.ts';
import type { Controls } from '../sequencer/controls.ts';
import type { Flashblock } from '../sequencer/feed/feed.ts';
import type { Cause } from '../sequencer/inputs.ts';
import type { MiningMode } from '../sequencer/mining/mode.ts';
import type { History } from '../sequencer/rewrite/history.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { BuildFolder } from '../sources/build-folder.ts';
import type { Contracts } from '../sources/contracts.ts';
import type { StackTraceThread } from '../stack-trace/thread.ts';
import type { Pauses } from '../turns.ts';
import type { Shapes } from './compat/shapes.ts';
import type { ForkContext, Refork } from './fork/context.ts';
import type { ForwardedRequest } from './forwarded-request.ts';
import type { ConnectionState, Member } from './member.ts';
import type { Filters } from './push/filters.ts';
import type { Subscriptions } from './push/subscriptions.ts';
import type { AddressIndex } from './read/address-index.ts';
import type { FeeRules } from './read/fee-rules.ts';
import type { FlashblockMemory } from './read/flashblock-memory.ts';
import type { HashedKeys } from './read/hashed-keys.ts';
import type { PoolReader } from './read/pool.ts';
import type { TransactionLifecycles } from './read/transaction-lifecycles.ts';
import type { Confirmations } from './send/confirmations.ts';
import type { Signers } from './send/signers.ts';

/** Everything that RPC handlers can use. */
export interface RpcContext {
  readonly chain: ChainReader;
  /** what a task of this request is attributed to: the call itself if it sends or changes the chain, else `outside` */
  readonly cause: Cause;
  readonly chainId: bigint;
  /** starts with the name of the node that is imitated, which hardhat-network-helpers and forge look for */
  readonly clientVersion: string;
  /** returns when the newest sealed block became the head, in milliseconds on the machine's clock */
  readonly headSince: () => number;
  /** the accounts that the node signs for */
  readonly accounts: readonly DevAccount[];
  readonly pool: PoolReader;
  readonly fees: FeeRules;
  /** runs calls on any block */
  readonly caller: Caller;
  readonly simulator: Simulator;
  /** decodes custom errors with the ABIs of compiled contracts */
  readonly contracts: Contracts;
  /** the inputs and outputs of the project's compiler */
  readonly builds: Pick<BuildFolder, 'read'>;
  /** folder of the compiled contracts, if it isn't one of the usual ones */
  readonly artifacts: string | undefined;
  /** makes Solidity stack traces with the project's build infos */
  readonly stackTraces: Pick<
    StackTraceThread,
    'trace' | 'lines' | 'layoutOf' | 'prepare' | 'add' | 'mayKnow'
  >;
  /** executions whose steps are kept, for the debugger */
  readonly executions: Executions;
  /** the writer of the chain */
  readonly sequencer: Sequencer;
  /** the newest flashblocks, with the times at which they were published */
  readonly flashblocks: Pick<FlashblockMemory, 'list' | 'find'>;
  /** what happened to the newest transactions */
  readonly lifecycles: Pick<TransactionLifecycles, 'of' | 'refuse'>;
  /** the open block's published flashblocks, by index; on a follower, those of the node that it follows */
  readonly published: () => readonly Flashblock[];
  /** removes sealed blocks: snapshots, rollback, reorg, reset */
  readonly history: History;
  /** controls time, mempool and mining */
  readonly controls: Controls;
  readonly decoder: SentTransactionDecoder;
  /** the blobs of sent transactions */
  readonly blobs: Pick<Blobs, 'get'>;
  /** The chain's current content, never in the middle of a change. */
  readonly freeze: () => Promise<FrozenChain>;
  /** Writes the chain as a state file in anvil's format. @param history with all kept states; see `dumpPieces` */
  dump(history: boolean): Promise<AsyncIterable<string | Uint8Array>>;
  /** Writes a state file's accounts into the chain's state, as a dev write. @throws DevnetError -32602 (bad file) */
  readonly loadDump: (cause: Cause, file: Uint8Array) => Promise<void>;
  readonly signers: Signers;
  /** the options that determine the blocks, without secrets; see `sharedOptions` */
  readonly chainOptions: () => Readonly<Record<string, unknown>>;
  /** the differences between the nodes' answers */
  readonly shapes: Shapes;
  /** Whether sends that wait for a receipt reject a time-out above the maximum, as Base's nodes do; else the maximum is used instead. */
  readonly refusesLongWaits: boolean;
  readonly instance: Instance;
  /** this node as a member of the nodes that share a log */
  readonly member?: Member | undefined;
  /** set for an HTTP request on a node of a shared log: notes what is forwarded */
  readonly forwarded?: ForwardedRequest | undefined;
  /** the state of the connection to the node whose stream this node follows */
  readonly followed?: (() => ConnectionState) | undefined;
  /** the chain that this one is forked from, if any */
  readonly fork: ForkContext | undefined;
  /** Restarts the chain as a fork of another chain's block; with `undefined` from this chain's own genesis block. */
  refork(cause: Cause, target: Refork | undefined): Promise<void>;
  /** Changes the node that a forked chain reads from. @throws DevnetError -32000 on a chain that isn't forked */
  redirectFork(url: string): Promise<void>;
  /** Makes the ECRECOVER precompile return `signer` for this 65-byte signature, until the process ends. */
  impersonateSignature(cause: Cause, signature: Uint8Array, signer: Address): Promise<void>;
  /** Changes {@link RpcContext.chainId}, until the process ends: a data directory keeps its original chain id. */
  setChainId(chainId: bigint): void;
  readonly forks: HardforkSchedule;
  /** traces blocks, transactions and calls */
  readonly tracing: Tracing;
  /** for a request that computes: when its `caller`, `simulator`, `tracing` and `dump` have to pause or end */
  readonly pauses?: Pauses;
  /** the addresses that each transaction involves */
  readonly addresses: AddressIndex;
  /** preimages of the hashes that the transactions of blocks computed */
  readonly hashedKeys: HashedKeys;
  /** code and state trie nodes by hash, and the addresses and slots by the hashes that are the tries' keys */
  readonly database: Pick<BlockStore, 'getCode' | 'getNode' | 'getPreimage'>;
  /**
   * Builds a block that doesn't become part of the chain.
   * @param transactions must all be included; when absent, the mempool's transactions are used
   */
  readonly buildAside: (
    parent: TrieBlock,
    plan: BlockPlan,
    transactions?: readonly Transaction[],
  ) => Promise<TrieBlock>;
  /** records the inputs that change the chain to a file */
  readonly recording: Recording;
  /** the main names of all methods */
  readonly methodNames: readonly string[];
  readonly subscriptions: Subscriptions;
  readonly filters: Filters;
  readonly confirmations: Confirmations;
  /** the clock that RPC calls advance (`--manual-clock`) */
  readonly manualClock?: ManualClock;
  /** the client's connection, for transports that can send notifications (WebSocket, IPC, in-process) */
  readonly connection?: Connection;
}

/** The context with some parts replaced. The others are not copied: they are looked up in `context` when used. */
export function contextWith(context: RpcContext, parts: Partial<RpcContext>): RpcContext {
  return Object.assign(Object.create(context) as RpcContext, parts);
}

/** Properties of this run of the node. */
export interface Instance {
  /** 32 bytes; changes with each start and reset, so that tools notice that old deployments are gone */
  id: Uint8Array;
  /** whether calls are logged */
  logs: boolean;
  /** the mining mode at the start */
  readonly mode: MiningMode;
  /** milliseconds between flashblocks, used when a mode with an interval is switched on */
  readonly flashblockInterval: number;
  /** `follower`: executes the blocks from another node's stream */
  readonly role: 'sequencer' | 'follower';
  /** name of the hardfork in EthereumJS */
  readonly hardfork: string;
  readonly order: Order;
}

/** Records the inputs that change the chain. */
export interface Recording {
  /** @throws DevnetError -32000 when a recording is running already, or when earlier inputs aren't known any more */
  start(path: string): void;
  readonly running: boolean;
  /** @returns whether a recording was running */
  stop(): boolean;
  /** Runs a task that is recorded as a call of another method with the same effect. See {@link Recorder.call}. */
  as<T>(method: string, params: readonly unknown[], run: (cause: Cause) => T): T;
}

/** A client's connection, to which notifications are sent. */
export interface Connection {
  /** Whether this is the connection of the page at `/`, which polls all the time: its reads aren't logged. */
  readonly isPage?: boolean;
  /** Sends a notification (UTF-8). @returns false when it was dropped because the buffer for a slow reader is full */
  notify(text: Buffer): boolean;
  /** Calls `task` once, when the connection ends; at once if it has ended. */
  onClose(task: () => void): void;
}
