import type { Address } from '@ethereumjs/util';
import * as halts from '../core/memory/halts.ts';
import * as at from '../core/memory/layout.ts';
import * as entry from '../core/state/entries.ts';
import { DevnetError } from '../errors.ts';
import type {
  AddOptions,
  BlockAccesses,
  BlockFinish,
  BlockMakerOptions,
  BlockSoFar,
  BlockStart,
  Included,
  MadeBlock,
  MadeHeader,
} from '../evm/block-maker.ts';
import type { BlockWriter } from '../evm/block-writer.ts';
import { consoleLineOf, isConsole, type OnConsole, tellConsole } from '../evm/console-log.ts';
import type { ChainTransaction } from '../evm/deposit-transaction.ts';
import type { Rollup } from '../evm/hardfork.ts';
import type { Executable } from '../evm/message.ts';
import { MESSAGE_PASSER } from '../evm/optimism.ts';
import type { BlockEnv, Invalid, Message, Outcome, Rules } from '../evm/types.ts';
import { ZERO_HASH } from '../state/account.ts';
import type { ChainState } from '../state/chain-state.ts';
import { Overlay } from '../state/overlay.ts';
import {
  type AccountState,
  type Awaitable,
  andThen,
  type StateView,
  type StateWrites,
} from '../state/view.ts';
import {
  collectRequests,
  encodeHeader,
  fieldsOf,
  makeAccessList,
  moveDaoBalances,
  orTakenBack,
  payRewards,
  payWithdrawals,
  rootReceipt,
  rootsOf,
  writeSystemState,
} from './blocks.ts';
import { CoreBlockWriter } from './core-block-writer.ts';
import { EXEMPT, type Executor, Unsupported } from './executor.ts';
import { applyOnOptimism, type Refused } from './optimism.ts';
import { exemptionsOf, outcomeOf } from './outcome.ts';
import type { Pausing } from './pausing.ts';
import { recordReceipt } from './receipt-record.ts';
import type { ExecutorRules } from './rules.ts';
import { finish, type Run } from './run.ts';
import type { StateTables } from './state-tables.ts';
import type { Execution } from './types.ts';

export interface CoreBlockMakerDeps {
  /** at the state that the blocks are made on; nobody else uses them until `end` is called */
  readonly tables: StateTables;
  /** whether their tries are those of the state, so that they compute its root; else the state does, where roots are asked for */
  readonly follows: boolean;
  readonly rulesOf: (env: BlockEnv) => ExecutorRules;
  /** whether the chain has the OP Stack's deposits and fees */
  readonly isOptimism: boolean;
  /** whether the core can encode and write what its blocks contain */
  readonly canWrite: boolean;
  readonly rollupOf: (env: BlockEnv) => Rollup | undefined;
  /** whether it is the block of the DAO fork, on a chain that has it (EIP-779) */
  readonly isDaoFork: (env: BlockEnv) => boolean;
  /** whether the engine executes the message in WebAssembly */
  readonly runs: (message: Message) => boolean;
  /** whether the chain doesn't have such messages */
  readonly refuses: (message: Message, env: BlockEnv) => boolean;
  /** whether it executes a signed transaction in WebAssembly, from its encoding */
  readonly runsSigned: (tx: ChainTransaction, env: BlockEnv) => boolean;
  /** why a message that was refused is invalid on a state */
  readonly refusal: (message: Message, env: BlockEnv, state: Overlay, rules: Rules) => Promise<Invalid>;
  readonly depositContract: Uint8Array | undefined;
  /** receives what contracts print; absent = nobody listens */
  readonly onConsole?: OnConsole | undefined;
  readonly pausing?: Pausing | undefined;
  /** The base with writes that the tables have made since a mark, and with its root. */
  readonly fold: (writes: StateWrites, mark: number) => ChainState;
  /** Called once, when the tables are free again. @param isSound whether what is in them is certain */
  readonly end: (isSound: boolean) => void;
}

/**
 * Makes blocks in the linear memory of an executor: see src/core/block/block.ts. Has the methods of a {@link BlockMaker}. Those that say
 * so return `undefined` for what the core can't do: nothing has changed then. As a view it is the state so far.
 */
export class CoreBlockMaker implements StateView {
  readonly #base: StateView;
  readonly #withStateRoot: boolean;
  readonly #deps: CoreBlockMakerDeps;
  /** the executor's journal at the beginning */
  readonly #start: number;
  readonly #layers: number;
  #env: BlockEnv | undefined;
  /** whether the open block was opened here, so that the core has all of it */
  #isWhole = false;
  /** whether the receipts of the open block have roots of the state in place of a status */
  #rootsReceipts = false;
  #writer: BlockWriter | undefined;
  /** all that was written, once the root of the state is computed */
  #sealed: StateWrites | undefined;
  /** the state with them, where the tables don't compute its root */
  #folded: ChainState | undefined;
  #isSound = true;
  /** of the open block: how many indexes of its access list have ended */
  #indexes = 0;
  /** what the open block has accessed, once the tables are given back */
  #accesses: BlockAccesses | undefined;
  #isEnded = false;

  constructor(
    base: StateView,
    { withStateRoot }: Pick<BlockMakerOptions, 'withStateRoot'>,
    deps: CoreBlockMakerDeps,
  ) {
    this.#base = base;
    this.#withStateRoot = withStateRoot;
    this.#deps = deps;
    this.#start = deps.tables.executor.mark();
    this.#layers = deps.tables.layerCount;
  }

  /** Whether an error that nobody expected makes uncertain what it holds: it can only be discarded then. */
  get isLost(): boolean {
    return !this.#isSound;
  }

  /** @returns `undefined` when the core can't */
  open(start: BlockStart, before: BlockSoFar | undefined): Awaitable<true | undefined> {
    const { tables, rulesOf, isDaoFork } = this.#deps;
    const { executor } = tables;
    const { env } = start;
    this.#env = env;
    this.#isWhole = before === undefined;
    executor.core.startBlock(before?.accesses?.indexes ?? 0);
    executor.useRules(rulesOf(env));
    this.#rootsReceipts = this.#withStateRoot && !executor.rules.hasStatus;
    if (this.#rootsReceipts && !this.#deps.follows) return undefined;
    executor.memory.setU32(at.BLOCK_ROOTS_RECEIPTS, Number(this.#rootsReceipts));
    const fields = fieldsOf(start);
    executor.setBlock(fields, (number) => env.blockHash(number));
    if (before) {
      executor.memory.setU64(at.BLOCK_GAS_USED, before.gasUsed);
      executor.memory.setU64(at.BLOCK_EXECUTION_GAS, before.counted.execution);
      executor.memory.setU64(at.BLOCK_STATE_GAS, before.counted.state);
      this.#indexes = before.accesses?.indexes ?? 0;
      const cells = before.accesses?.cells;
      if (cells) executor.memory.write(executor.core.roomForCells(cells.length), cells);
      return true;
    }
    const isFork = isDaoFork(env);
    this.#indexes = 1;
    // Most blocks need nothing else.
    if (!isFork && executor.core.writeSystemState() === halts.NONE) {
      executor.core.closeIndex();
      return true;
    }
    const opening = function* (): Run<true> {
      if (isFork) yield* orTakenBack(executor, moveDaoBalances(executor));
      yield* orTakenBack(executor, writeSystemState(executor, fields));
      executor.core.closeIndex();
      return true;
    };
    return this.#run(opening());
  }

  /** @returns `undefined` when the core can't */
  add(message: Message, raw: Uint8Array, rules: Rules, options: AddOptions): Awaitable<Outcome | undefined> {
    const { tables, onConsole, runs, refuses } = this.#deps;
    const { console: of = false, numberLogs = false } = options;
    if (refuses(message, this.#env!)) return this.#refusal(message, rules);
    if (!runs(message)) return undefined;
    const watches = of && onConsole !== undefined;
    const end = (execution: InBlock | Refused | undefined): Awaitable<Outcome | undefined> => {
      if (!execution) return undefined;
      if (execution.kind === 'invalid') {
        const { error } = execution;
        return error ? { kind: 'invalid', error } : this.#refusal(message, rules);
      }
      if (watches) {
        const sent = consoleLineOf(message);
        const printed = tables.executor.takePrinted();
        const failed = execution.halt !== undefined;
        tellConsole(sent ? [...printed, sent] : printed, { of, failed }, onConsole);
      }
      const { stateRoot, logsBloom } = execution;
      return { ...outcomeOf(execution, numberLogs), logsBloom, ...(stateRoot && { stateRoot }) };
    };
    const execution = this.#run(this.#include(message, raw, rules, watches, options.precompiles));
    return execution instanceof Promise ? execution.then(end) : end(execution);
  }

  /** @returns `undefined` when it has to be added by {@link add}: nothing has changed */
  addSigned(
    transaction: Executable,
    rules: Rules,
    { console }: { console: boolean },
  ): Awaitable<Included | undefined> {
    const { tables, onConsole, runsSigned } = this.#deps;
    const { tx, from, raw } = transaction;
    const watches = console && onConsole !== undefined;
    if (!runsSigned(tx, this.#env!) || (watches && tx.to && isConsole(tx.to))) return undefined;
    const { executor } = tables;
    executor.watchConsole(watches);
    return this.#attempt(() => {
      const mark = executor.mark();
      const exempt = exemptionsOf(rules) | EXEMPT.block | EXEMPT.receipt;
      const code = executor.beginSigned(raw, from.bytes, exempt);
      return code === halts.DONE && !this.#rootsReceipts
        ? this.#included()
        : this.#run(this.#endSigned(code, mark));
    });
  }

  /** What the open block has so far. */
  get soFar(): BlockSoFar {
    const { memory } = this.#deps.tables.executor;
    return {
      gasUsed: memory.u64(at.BLOCK_GAS_USED),
      counted: {
        execution: memory.u64(at.BLOCK_EXECUTION_GAS),
        state: memory.u64(at.BLOCK_STATE_GAS),
      },
      accesses: this.accesses,
    };
  }

  get accesses(): BlockAccesses | undefined {
    if (this.#isEnded) return this.#accesses;
    const { core, memory, rules } = this.#deps.tables.executor;
    if (!rules.hasAccessLists) return undefined;
    return {
      indexes: this.#indexes + core.transactionCount(),
      cells: memory.bytes(core.cellsBase(), core.cellsLength()),
    };
  }

  get writer(): BlockWriter | undefined {
    const { tables, canWrite, depositContract, onConsole } = this.#deps;
    if (!canWrite || this.#withStateRoot) return undefined;
    this.#writer ??= new CoreBlockWriter({
      executor: tables.executor,
      run: (run) => this.#run(run),
      attempt: (work) => this.#attempt(work),
      depositContract,
      prints: onConsole !== undefined,
    });
    return this.#writer;
  }

  nonceOf(address: Address): Awaitable<bigint> {
    const { executor } = this.#deps.tables;
    const account = executor.account(address.bytes);
    const read = () => executor.memory.u64(account + entry.NONCE);
    if (!executor.core.isAccountMissing(account)) return read();
    const nonce = function* (): Run<bigint> {
      yield* executor.loadAccount(address.bytes);
      return read();
    };
    return this.#run(nonce()) as Awaitable<bigint>;
  }

  getAccount(address: Address): Awaitable<AccountState | undefined> {
    return this.#run(this.#deps.tables.readAccount(address));
  }

  getCode(address: Address): Awaitable<Uint8Array> {
    return this.#run(this.#deps.tables.readCode(address)) as Awaitable<Uint8Array>;
  }

  getStorage(address: Address, slot: Uint8Array): Awaitable<Uint8Array> {
    return this.#run(this.#deps.tables.readStorage(address, slot)) as Awaitable<Uint8Array>;
  }

  /** @param writes without removed storage */
  apply(writes: StateWrites): void {
    this.#deps.tables.applyWrites(writes);
  }

  /** @returns `undefined` when the core can't */
  seal(ending: BlockFinish): Awaitable<MadeBlock | undefined> {
    const { executor } = this.#deps.tables;
    return this.#run(orTakenBack(executor, this.#seal(ending)));
  }

  writes(): StateWrites {
    return this.#sealed ?? this.#deps.tables.writesSince(this.#start);
  }

  /** @returns `undefined` when the core can't */
  keep(): Awaitable<{ state: ChainState; writes: StateWrites } | undefined> {
    const folding = this.#sealed ? undefined : this.#run(this.#fold());
    return andThen(folding, () => {
      const writes = this.#sealed;
      if (!writes) return undefined;
      const state = this.#folded ?? this.#deps.fold(writes, this.#start);
      // The tables get there from the state that they were at.
      if (this.#folded) this.discard();
      else this.#end();
      return { state, writes };
    });
  }

  discard(): void {
    if (this.#isEnded) return;
    this.#deps.tables.takeBack(this.#start, this.#layers);
    this.#end();
  }

  #end(): void {
    if (this.#env) this.#accesses = this.accesses;
    this.#isEnded = true;
    this.#deps.tables.executor.watchConsole(false);
    this.#deps.end(this.#isSound);
  }

  *#include(
    message: Message,
    raw: Uint8Array,
    rules: Rules,
    watches: boolean,
    precompiles: AddOptions['precompiles'],
  ): Run<InBlock | Refused> {
    const { executor } = this.#deps.tables;
    executor.movePrecompiles(precompiles);
    let execution: Execution | Refused;
    try {
      execution = yield* this.#execute(message, raw, rules, watches);
    } finally {
      executor.movePrecompiles(undefined);
    }
    if (execution.kind === 'invalid') return execution;
    const logsBloom = executor.lastBloom;
    const stateRoot = this.#rootsReceipts ? yield* rootReceipt(executor) : undefined;
    return Object.assign(execution, { logsBloom, stateRoot });
  }

  *#execute(message: Message, raw: Uint8Array, rules: Rules, watches: boolean): Run<Execution | Refused> {
    const { tables, isOptimism } = this.#deps;
    const { executor } = tables;
    executor.watchConsole(watches);
    if (!isOptimism) return yield* executor.applyInBlock(message, raw, exemptionsOf(rules));
    return yield* applyOnOptimism(executor, message, rules, {
      run: (given, exempt) => executor.applyInBlock(given, raw, exempt),
      // A simulation reports why as an error.
      ...(rules.nonce && {
        fail: (given, reason) => ({ ...executor.failDeposit(given, raw), halt: reason }),
      }),
    });
  }

  *#endSigned(code: number, mark: number): Run<Included | undefined> {
    const { executor } = this.#deps.tables;
    const refusal = code === halts.DONE ? undefined : yield* executor.endSigned(code, mark);
    if (refusal) return undefined;
    if (this.#rootsReceipts) yield* rootReceipt(executor);
    return this.#included();
  }

  #included(): Included {
    const { tables, onConsole } = this.#deps;
    const { executor } = tables;
    if (onConsole) tellConsole(executor.takePrinted(), { of: true, failed: false }, onConsole);
    return recordReceipt(executor);
  }

  *#seal({ withdrawals, uncles, receipts, blobGasUsed, strict }: BlockFinish): Run<MadeBlock> {
    const { tables, depositContract, rollupOf } = this.#deps;
    const { executor } = tables;
    const { memory } = executor;
    const rollup = rollupOf(this.#env!);
    // Where an OP chain counts data as blob gas, the core doesn't know of it.
    memory.setU64(at.BLOCK_BLOB_GAS_USED, blobGasUsed);
    const env = this.#env!;
    executor.core.beginIndex();
    if (env.difficulty > 0n) yield* payRewards(executor, env, uncles);
    yield* payWithdrawals(
      executor,
      withdrawals.map(({ address, ...rest }) => ({ ...rest, address: address.bytes })),
    );
    // An OP chain has no validators.
    const isEmpty = rollup !== undefined && executor.rules.prague;
    const requests = isEmpty ? [] : yield* this.#requests({ receipts, depositContract }, strict);
    executor.core.closeIndex();
    const accessList = makeAccessList(executor);
    const passer = rollup === 'jovian' ? yield* executor.loadAccount(MESSAGE_PASSER.bytes) : undefined;
    const stateRoot = this.#withStateRoot ? yield* this.#fold() : ZERO_HASH;
    if (passer !== undefined) {
      const messages = this.#withStateRoot ? memory.bytes(passer + entry.STORAGE_ROOT, 32) : ZERO_HASH;
      memory.write(at.BLOCK_WITHDRAWALS_ROOT, messages);
    }
    // The core has no headers of uncles.
    const isWhole = this.#isWhole && uncles.length === 0;
    const header = isWhole ? headerOf(executor, stateRoot, requests) : undefined;
    const { hasWithdrawals } = executor.rules;
    const withdrawalsRoot = hasWithdrawals ? memory.bytes(at.BLOCK_WITHDRAWALS_ROOT, 32) : undefined;
    return { stateRoot, withdrawalsRoot, requests, accessList, header };
  }

  *#fold(): Run<Uint8Array> {
    if (!this.#deps.follows) {
      this.#sealed = this.#deps.tables.writesSince(this.#start);
      this.#folded = (this.#base as ChainState).fold(this.#sealed);
      return this.#folded.root;
    }
    const { root, writes } = yield* this.#deps.tables.foldSince(this.#start);
    this.#sealed = writes;
    return root;
  }

  *#requests(ending: Parameters<typeof collectRequests>[1], strict: boolean): Run<Uint8Array[] | undefined> {
    const { executor } = this.#deps.tables;
    try {
      return yield* orTakenBack(executor, collectRequests(executor, ending));
    } catch (error) {
      // A DevnetError means that state of a forked chain couldn't be fetched: the block may well have requests.
      if (strict || error instanceof DevnetError || error instanceof Unsupported) throw error;
      return [];
    }
  }

  async #refusal(message: Message, rules: Rules): Promise<Invalid> {
    const state = new Overlay(this.#base);
    state.apply(this.writes());
    return this.#deps.refusal(message, this.#env!, state, rules);
  }

  /** @returns `undefined` when the executor can't do it, and has taken it back */
  #run<T>(run: Run<T>): Awaitable<T | undefined> {
    const { pausing } = this.#deps;
    const result = this.#attempt(() => finish(run, pausing && (() => pausing.giveWay())));
    return result instanceof Promise ? result.catch((error) => this.#failed(error)) : result;
  }

  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(error: unknown): undefined {
    if (error instanceof Unsupported) return undefined;
    // After an unknown error nothing is certain.
    this.#isSound &&= error instanceof DevnetError;
    throw error;
  }
}

/** What came of a message in a block: also the bloom filter of its logs, and what a receipt before EIP-658 has. */
interface InBlock extends Execution {
  readonly logsBloom: Uint8Array;
  readonly stateRoot: Uint8Array | undefined;
}

/** What the header has of the open block's lists, and its hash. */
function headerOf(
  executor: Executor,
  stateRoot: Uint8Array,
  requests: readonly Uint8Array[] | undefined,
): MadeHeader {
  const { memory } = executor;
  // The root of the tries stands there, and they go on with it.
  const root = memory.bytes(at.BLOCK_STATE_ROOT, 32);
  memory.write(at.BLOCK_STATE_ROOT, stateRoot);
  const headerLength = encodeHeader(executor, requests).length;
  memory.write(at.BLOCK_STATE_ROOT, root);
  return { ...rootsOf(executor), headerLength };
}
