import type { Address } from '@ethereumjs/util';
import * as halts from '../../core/memory/halts.ts';
import * as at from '../../core/memory/layout.ts';
import * as entry from '../../core/state/entries.ts';
import { DevnetError } from '../../errors.ts';
import {
  type CalledDirectly,
  consoleLineOf,
  isConsole,
  type OnConsole,
  tellConsole,
} from '../../protocol/console-log.ts';
import type { Hardfork } from '../../protocol/hardfork.ts';
import { messagesRoot } from '../../protocol/op-stack/messages-root.ts';
import { isDeposit, MESSAGE_PASSER, withNonce } from '../../protocol/op-stack/optimism.ts';
import type { BlockEnv, Invalid, Message, Rules } from '../../protocol/types.ts';
import { ZERO_HASH } from '../../state/account.ts';
import type { ChainState } from '../../state/chain-state.ts';
import { Overlay } from '../../state/overlay.ts';
import {
  type AccountState,
  type Awaitable,
  andThen,
  type StateView,
  type StateWrites,
} from '../../state/view.ts';
import { type Executable, messageOf } from '../message.ts';
import { type CountedRun, keptCounts } from '../run-counts.ts';
import { type Frame, FrameRecorder } from '../tracers/frames.ts';
import {
  type Accesses,
  type AddOptions,
  type BlockFinish,
  type BlockStart,
  type ExecutedMessage,
  type Included,
  type MadeBlock,
  type MadeHeader,
  openEach,
  type Reopened,
  type StoreRecords,
  type Workspace,
  type WorkspaceOptions,
} from '../workspace.ts';
import {
  collectRequests,
  encodeHeader,
  fieldsOf,
  makeAccessList,
  moveDaoBalances,
  orRollBack,
  payRewards,
  payWithdrawals,
  recordBlock,
  rootReceipt,
  rootsOf,
  writeSystemState,
} from './blocks.ts';
import { readCounts } from './counts.ts';
import { EXEMPT, type Executor } from './executor.ts';
import { Listening } from './listening.ts';
import { applyOnOptimism, type CoreRun, type Refused } from './optimism.ts';
import { exemptionsOf, outcomeOf } from './outcome.ts';
import type { Pausing } from './pausing.ts';
import { addressAt, recordReceipt } from './receipt-record.ts';
import type { ExecutorRules } from './rules.ts';
import { awaited, finish, finished, type Run, Unfinished } from './run.ts';
import type { StateTables } from './state-tables.ts';
import type { Execution, Refusal, StartFields } from './types.ts';

export interface CoreWorkspaceDeps {
  /** tables at the state that the blocks are made on; nothing else uses them until `end` is called */
  readonly tables: StateTables;
  /** whether the tries in the tables belong to the state, so that the tables compute its root; else the state computes it */
  readonly follows: boolean;
  readonly rulesOf: (env: BlockEnv) => ExecutorRules;
  /** whether the chain has the OP Stack's deposits and fees */
  readonly isOptimism: boolean;
  readonly hardforkOf: (env: BlockEnv) => Hardfork;
  /** whether it is the block of the DAO fork, on a chain that has it (EIP-779) */
  readonly isDaoFork: (env: BlockEnv) => boolean;
  /** whether the chain doesn't have such messages */
  readonly refuses: (message: Message, env: BlockEnv) => boolean;
  /** why a message that was refused is invalid on a state */
  readonly refusal: (message: Message, env: BlockEnv, state: Overlay, rules: Rules) => Promise<Invalid>;
  readonly depositContract: Uint8Array | undefined;
  /** receives what contracts print; absent = nobody listens */
  readonly onConsole?: OnConsole | undefined;
  /** receives the calls of each run, as the outermost frame; absent = nobody listens */
  readonly onTrace?: ((root: Frame) => void) | undefined;
  /** whether outcomes tell what their transactions have run, for coverage: the executor counts everything that it runs then */
  readonly counts: boolean;
  readonly pausing?: Pausing | undefined;
  /** The base with writes that the tables have made since a mark, and with the root that they have computed. */
  readonly keep: (writes: StateWrites, mark: number) => ChainState;
  /** Called once, when the tables are free again. @param isSound false after an error that leaves their content unknown */
  readonly end: (isSound: boolean) => void;
}

/** Makes blocks in the linear memory of an executor: see src/core/block/block.ts. It is also the view of the state so far. */
export class CoreWorkspace implements Workspace, StateView {
  readonly #base: StateView;
  readonly #withStateRoot: boolean;
  readonly #deps: CoreWorkspaceDeps;
  /** the position of the executor's journal at the beginning */
  readonly #start: number;
  readonly #layers: number;
  #env: BlockEnv | undefined;
  /** whether the core has the whole open block: not where it was opened before, in another workspace */
  #isWhole = false;
  /** whether the receipts of the open block have roots of the state in place of a status */
  #rootsReceipts = false;
  /** all that was written, once the root of the state is computed */
  #sealed: StateWrites | undefined;
  /** the state with all that was written, where the state and not the tables computed the root */
  #folded: ChainState | undefined;
  #isSound = true;
  /** of the open block: how many indexes of its access list have ended */
  #indexes = 0;
  /** what the open block has accessed, once the tables are given back */
  #accesses: Accesses | undefined;
  #isEnded = false;

  constructor(
    base: StateView,
    { withStateRoot }: Pick<WorkspaceOptions, 'withStateRoot'>,
    deps: CoreWorkspaceDeps,
  ) {
    this.#base = base;
    this.#withStateRoot = withStateRoot;
    this.#deps = deps;
    this.#start = deps.tables.executor.core.mark();
    this.#layers = deps.tables.layerCount;
  }

  open(start: BlockStart, before?: Reopened): Awaitable<void> {
    const { tables, rulesOf, isDaoFork } = this.#deps;
    const { executor } = tables;
    const { env } = start;
    this.#env = env;
    this.#sealed = undefined;
    this.#folded = undefined;
    this.#isWhole = before === undefined;
    executor.core.startBlock(before?.accesses?.indexes ?? 0);
    executor.useRules(rulesOf(env));
    this.#rootsReceipts = this.#withStateRoot && !executor.rules.hasStatus;
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
      return;
    }
    const isFork = isDaoFork(env);
    this.#indexes = 1;
    return this.run(() => {
      // In most blocks the core writes all that by itself.
      if (isFork || executor.core.writeSystemState() !== halts.NONE)
        return new Unfinished(this.#writeStart(fields, isFork));
      executor.core.closeIndex();
      return undefined;
    });
  }

  *#writeStart(fields: StartFields, isDaoFork: boolean): Run<void> {
    const { executor } = this;
    if (isDaoFork) yield* orRollBack(executor, moveDaoBalances(executor));
    yield* orRollBack(executor, writeSystemState(executor, fields));
    executor.core.closeIndex();
  }

  openEach(starts: Iterable<BlockStart>): Promise<void> {
    return openEach(this, starts);
  }

  add(
    message: Message,
    raw: Uint8Array,
    rules: Rules,
    options: AddOptions,
  ): Awaitable<ExecutedMessage | Invalid> {
    const { onConsole, onTrace } = this.#deps;
    const { console: isTold = false, numberLogs = false } = options;
    if (this.refuses(message)) return this.refusal(message, rules);
    const watches = isTold && onConsole !== undefined;
    const frames = isTold && onTrace ? new FrameRecorder() : undefined;
    const end = (execution: ReceiptExecution | Refused): Awaitable<ExecutedMessage | Invalid> => {
      if (execution.kind === 'invalid') {
        const { error } = execution;
        return error ? { kind: 'invalid', error } : this.refusal(message, rules);
      }
      if (watches) this.tellConsole(message, execution.halt !== undefined);
      if (frames) onTrace!(frames.root);
      const { stateRoot, logsBloom, ran } = execution;
      return {
        ...outcomeOf(execution, numberLogs),
        logsBloom,
        ...(stateRoot && { stateRoot }),
        ...(ran && { ran }),
      };
    };
    const run = this.#include(message, raw, rules, { watches, frames, precompiles: options.precompiles });
    return andThen(this.#run(run), end);
  }

  /** The core doesn't know the fees of the OP Stack. To record its calls, a transaction is needed as a message. */
  get decodes(): boolean {
    return !this.#deps.isOptimism && !this.#deps.onTrace;
  }

  addSigned(
    transaction: Executable,
    rules: Rules,
    { console }: { console: boolean },
  ): Awaitable<Included | ExecutedMessage | Invalid> {
    const { onConsole, counts } = this.#deps;
    const { raw, isEncoded } = transaction;
    if (!this.decodes) return this.add(messageOf(transaction), raw, rules, { console });
    const { executor } = this;
    executor.watchConsole(console && onConsole !== undefined);
    const end = (refusal: Refusal | undefined): Awaitable<Included | Invalid> => {
      if (refusal) return isEncoded ? undecoded(refusal) : this.refusal(messageOf(transaction), rules);
      if (console && onConsole) this.#tellSigned(transaction);
      return recordReceipt(executor, counts ? countedRun(executor) : undefined);
    };
    const sender = isEncoded ? undefined : transaction.from.bytes;
    const exempt = exemptionsOf(rules) | (isEncoded ? 0 : EXEMPT.block) | EXEMPT.receipt;
    const adding = this.run(() => {
      const mark = executor.core.mark();
      const code = executor.beginSigned(raw, sender, exempt);
      if (code === halts.DONE && !this.#rootsReceipts) return undefined;
      return new Unfinished(this.#endSigned(code, mark));
    });
    return andThen(adding, end);
  }

  /**
   * Adds a message to the open block as a transaction that nobody has signed: see {@link Executor.includeUnsigned}. Precompiles are where the
   * executor has them.
   * @param hasNonce whether it has a nonce of its own; else it gets that of its sender
   * @returns why it is refused; `undefined` when it is in the block
   */
  addUnsigned(message: Message, rules: Rules, hasNonce: boolean): Awaitable<Refused | undefined> {
    const { isOptimism, onTrace } = this.#deps;
    const hasMore = isOptimism || onTrace !== undefined || this.#rootsReceipts;
    return this.run<Refused | undefined>(() =>
      hasMore
        ? new Unfinished(this.#addUnsigned(message, rules, hasNonce))
        : this.executor.includeUnsigned(message, exemptionsOf(rules), hasNonce),
    );
  }

  *#addUnsigned(message: Message, rules: Rules, hasNonce: boolean): Run<Refused | undefined> {
    const { executor } = this;
    const { onTrace } = this.#deps;
    const frames = onTrace && new FrameRecorder();
    const include = function* (given: Message, exempt: number): Run<Execution | Refusal> {
      // A deposit has got the nonce of its sender.
      const refusal = yield* finished(executor.includeUnsigned(given, exempt, hasNonce || isDeposit(given)));
      return refusal ?? executor.result();
    };
    const execution = yield* this.#heard(message, frames, () =>
      this.#apply(message, rules, { run: include }),
    );
    if (execution.kind === 'invalid') return execution;
    if (this.#rootsReceipts) yield* this.#rootReceipt();
    if (frames) onTrace!(frames.root);
    return undefined;
  }

  get accesses(): Accesses | undefined {
    if (this.#isEnded) return this.#accesses;
    const { core, memory, rules } = this.executor;
    if (!rules.hasAccessLists) return undefined;
    return {
      indexes: this.#indexes + core.transactionCount(),
      cells: memory.bytes(core.cellsBase(), core.cellsLength()),
    };
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
    return this.#run(nonce());
  }

  getAccount(address: Address): Awaitable<AccountState | undefined> {
    return this.#run(this.#deps.tables.readAccount(address));
  }

  getCode(address: Address): Awaitable<Uint8Array> {
    return this.#run(this.#deps.tables.readCode(address));
  }

  getStorage(address: Address, slot: Uint8Array): Awaitable<Uint8Array> {
    return this.#run(this.#deps.tables.readStorage(address, slot));
  }

  /** @param writes without removed storage */
  apply(writes: StateWrites): Awaitable<void> {
    return this.run(() => this.#deps.tables.applyWrites(writes));
  }

  seal(ending: BlockFinish): Awaitable<MadeBlock> {
    return this.#run(orRollBack(this.executor, this.#seal(ending)));
  }

  writes(): StateWrites {
    return this.#sealed ?? this.#deps.tables.writesSince(this.#start);
  }

  keep(): Awaitable<{ state: ChainState; writes: StateWrites }> {
    const folding = this.#sealed ? undefined : this.#run(this.#fold());
    return andThen(folding, () => {
      const writes = this.#sealed!;
      const state = this.#folded ?? this.#deps.keep(writes, this.#start);
      // The tables don't hold the folded state: the next run moves them there.
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
    options: IncludeOptions,
  ): Run<ReceiptExecution | Refused> {
    const { executor } = this;
    executor.movePrecompiles(options.precompiles);
    executor.watchConsole(options.watches);
    let execution: Execution | Refused;
    try {
      execution = yield* this.#heard(message, options.frames, (listening) =>
        this.#apply(message, rules, {
          run: (given, exempt) => executor.applyInBlock(given, raw, exempt),
          // A simulation reports why as an error.
          ...(rules.nonce && {
            fail: (given, reason) => {
              listening?.refuse(reason);
              return { ...executor.failDeposit(given, raw), halt: reason };
            },
          }),
        }),
      );
    } finally {
      executor.movePrecompiles(undefined);
    }
    if (execution.kind === 'invalid') return execution;
    const ran = this.#deps.counts ? countedRun(executor) : undefined;
    const logsBloom = executor.lastBloom;
    const stateRoot = this.#rootsReceipts ? yield* this.#rootReceipt() : undefined;
    return Object.assign(execution, { logsBloom, stateRoot, ran });
  }

  *#listeningTo(frames: FrameRecorder, message: Message): Run<Listening> {
    const { tables, hardforkOf } = this.#deps;
    const env = this.#env!;
    const told = isDeposit(message) ? yield* awaited(withNonce(message, this)) : message;
    const heard = { message: told, env, hardfork: hardforkOf(env), before: this, pauses: undefined };
    return new Listening(tables, heard, this, { listener: frames.listener, onAccessList: undefined });
  }

  /** Runs a message, and records its calls. @param frames absent: nobody listens to them */
  *#heard(
    message: Message,
    frames: FrameRecorder | undefined,
    run: (listening: Listening | undefined) => Run<Execution | Refused>,
  ): Run<Execution | Refused> {
    if (!frames) return yield* run(undefined);
    const { executor } = this;
    const listening = yield* this.#listeningTo(frames, message);
    executor.listen(listening, listening.wants);
    let execution: Execution | Refused;
    try {
      execution = yield* run(listening);
    } finally {
      executor.stopListening();
    }
    if (execution.kind === 'executed') listening.end();
    return execution;
  }

  /** Runs a message by the rules of its chain. */
  *#apply(message: Message, rules: Rules, core: CoreRun): Run<Execution | Refused> {
    if (!this.#deps.isOptimism) return yield* core.run(message, exemptionsOf(rules));
    return yield* applyOnOptimism(this.executor, message, rules, core);
  }

  *#endSigned(code: number, mark: number): Run<Refusal | undefined> {
    const { executor } = this;
    const refusal = code === halts.DONE ? undefined : yield* executor.endSigned(code, mark);
    if (!refusal && this.#rootsReceipts) yield* this.#rootReceipt();
    return refusal;
  }

  #tellSigned(transaction: Executable): void {
    const { executor } = this;
    const { memory } = executor;
    const failed = executor.haltOf(memory.u32(at.RESULT_HALT)) !== undefined;
    const isSentThere = isConsole(addressAt(executor, at.TX_TO));
    this.#tell(isSentThere ? messageOf(transaction) : undefined, failed);
  }

  *#seal(finish: BlockFinish): Run<MadeBlock> {
    const { executor } = this;
    const { memory } = executor;
    const { list, requests } = yield* this.finish(finish);
    executor.core.closeIndex();
    const accessList = makeAccessList(executor);
    const stateRoot = yield* this.rootState();
    // The core has no headers of uncles.
    const isWhole = this.#isWhole && finish.uncles.length === 0;
    if (isWhole) makeHeader(executor, stateRoot, requests);
    const records = isWhole && this.#withStateRoot ? recordBlock(executor, list) : undefined;
    const header = isWhole ? headerOf(executor, records) : undefined;
    const { hasWithdrawals } = executor.rules;
    const withdrawalsRoot = hasWithdrawals ? memory.bytes(at.BLOCK_WITHDRAWALS_ROOT, 32) : undefined;
    return { stateRoot, withdrawalsRoot, requests, accessList, header, records };
  }

  /**
   * Writes what the protocol writes after the last transaction.
   * @returns the list of withdrawals in RLP, and the requests: absent before Prague
   */
  *finish({ withdrawals, uncles, receipts, blobGasUsed, strict }: BlockFinish): Run<{
    readonly list: Uint8Array;
    readonly requests: readonly Uint8Array[] | undefined;
  }> {
    const { executor } = this;
    const { depositContract } = this.#deps;
    const env = this.#env!;
    // The core can't count it: an OP chain with Jovian's rules counts data as blob gas.
    executor.memory.setU64(at.BLOCK_BLOB_GAS_USED, blobGasUsed);
    executor.core.beginIndex();
    if (env.difficulty > 0n) yield* payRewards(executor, env, uncles);
    const list = yield* payWithdrawals(
      executor,
      withdrawals.map(({ address, ...rest }) => ({ ...rest, address: address.bytes })),
    );
    // An OP chain has no validators.
    const isEmpty = executor.rules.hardfork.rollup !== undefined && executor.rules.hasRequests;
    const requests = isEmpty ? [] : yield* this.#requests({ receipts, depositContract }, strict);
    return { list, requests };
  }

  /** Computes what the header has of the state. @returns its root, which is zero where nobody asks for it */
  *rootState(): Run<Uint8Array> {
    const { executor } = this;
    const isJovian = executor.rules.hardfork.rollup === 'jovian';
    if (isJovian) yield* executor.loadAccount(MESSAGE_PASSER.bytes);
    const root = this.#withStateRoot ? yield* this.#fold() : ZERO_HASH;
    if (isJovian) executor.memory.write(at.BLOCK_WITHDRAWALS_ROOT, yield* this.#messagesRoot());
    return root;
  }

  *#fold(): Run<Uint8Array> {
    const { tables, follows } = this.#deps;
    const made = follows ? yield* tables.foldSince(this.#start) : undefined;
    if (made) {
      this.#sealed = made.writes;
      this.#folded = undefined;
      return made.root;
    }
    this.#sealed = tables.writesSince(this.#start);
    this.#folded = (this.#base as ChainState).fold(this.#sealed);
    return this.#folded.root;
  }

  /** Writes the root of the state into the receipt of the last transaction, as before EIP-658. @returns the root */
  *#rootReceipt(): Run<Uint8Array> {
    const { executor } = this;
    const { core, memory } = executor;
    if (this.#deps.follows && !executor.holdsDifferences) return yield* rootReceipt(executor);
    const root = yield* this.#fold();
    // This place has the root of the core's tries, which they need afterwards.
    const ofTries = memory.bytes(at.BLOCK_STATE_ROOT, 32);
    memory.write(at.BLOCK_STATE_ROOT, root);
    core.setReceiptRoot();
    memory.write(at.BLOCK_STATE_ROOT, ofTries);
    return root;
  }

  /** The withdrawals root in a header of an OP chain: see {@link messagesRoot}. */
  *#messagesRoot(): Run<Uint8Array> {
    const { executor } = this;
    const passer = yield* executor.loadAccount(MESSAGE_PASSER.bytes);
    if (!this.#withStateRoot) return ZERO_HASH;
    if (this.#folded) return yield* awaited(messagesRoot(this.#folded));
    return executor.memory.bytes(passer + entry.STORAGE_ROOT, 32);
  }

  *#requests(ending: Parameters<typeof collectRequests>[1], strict: boolean): Run<Uint8Array[] | undefined> {
    const { executor } = this.#deps.tables;
    try {
      return yield* orRollBack(executor, collectRequests(executor, ending));
    } catch (error) {
      // A DevnetError means that state of a forked chain couldn't be fetched, not that the block has no requests.
      if (strict || error instanceof DevnetError) throw error;
      return [];
    }
  }

  get executor(): Executor {
    return this.#deps.tables.executor;
  }

  get state(): StateView {
    return this;
  }

  /** Whether the chain doesn't have such messages. */
  refuses(message: Message): boolean {
    return this.#deps.refuses(message, this.#env!);
  }

  /** Collects what the next messages print, where a listener wants it. */
  watchConsole(): void {
    this.executor.watchConsole(this.#deps.onConsole !== undefined);
  }

  /** Tells what a message has printed, or sent to the console itself. */
  tellConsole(message: CalledDirectly, failed: boolean): void {
    this.#tell(message, failed);
  }

  #tell(message: CalledDirectly | undefined, failed: boolean): void {
    const { onConsole } = this.#deps;
    if (!onConsole) return;
    const sent = message && consoleLineOf(message);
    const printed = this.executor.takePrinted();
    tellConsole(sent ? [...printed, sent] : printed, { of: true, failed }, onConsole);
  }

  /** Why a message is refused. */
  async refusal(message: Message, rules: Rules): Promise<Invalid> {
    const state = new Overlay(this.#base);
    state.apply(this.writes());
    return this.#deps.refusal(message, this.#env!, state, rules);
  }

  #run<T>(run: Run<T>): Awaitable<T> {
    return this.run(() => new Unfinished(run));
  }

  /** Runs work in the core, with pauses for background work. After an error of the core itself, which leaves its memory unknown, it refuses. */
  run<T>(work: () => T | Unfinished<T>): Awaitable<T> {
    const { pausing } = this.#deps;
    if (!this.#isSound) throw new Error('an error has ended the making of these blocks');
    try {
      const done = work();
      if (!(done instanceof Unfinished)) return done;
      const result = finish(done.rest, pausing && (() => pausing.giveWay()));
      return result instanceof Promise ? result.catch((error) => this.#failed(error)) : result;
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(error: unknown): never {
    // Only an error of the core leaves its memory unknown: what JavaScript throws has been taken back.
    this.#isSound &&= !(error instanceof WebAssembly.RuntimeError);
    throw error;
  }
}

interface IncludeOptions extends Pick<AddOptions, 'precompiles'> {
  /** whether what is printed is collected */
  readonly watches: boolean;
  /** records the calls; absent: nobody listens to them */
  readonly frames: FrameRecorder | undefined;
}

/** The outcome of a message in a block, with the bloom filter of its logs, and the state root of a receipt before EIP-658. */
interface ReceiptExecution extends Execution {
  readonly logsBloom: Uint8Array;
  readonly stateRoot: Uint8Array | undefined;
  readonly ran: CountedRun | undefined;
}

/** Why a transaction isn't in the block that was given as bytes only. Its decoder may find a clearer reason. */
function undecoded({ fault }: Refusal): Invalid {
  return { kind: 'invalid', error: new DevnetError('transactionRejected', { reason: fault }) };
}

/** What the last transaction has run. */
function countedRun(executor: Executor): CountedRun {
  const { memory } = executor;
  return {
    counts: keptCounts(readCounts(memory)),
    maxUsedGas: memory.u64(at.RESULT_GAS_BEFORE_REFUND),
    success: executor.haltOf(memory.u32(at.RESULT_HALT)) === undefined,
  };
}

/** Makes the header of the open block, and its hash. */
function makeHeader(
  executor: Executor,
  stateRoot: Uint8Array,
  requests: readonly Uint8Array[] | undefined,
): void {
  const { memory } = executor;
  // This place has the root of the core's tries, which they need afterwards.
  const root = memory.bytes(at.BLOCK_STATE_ROOT, 32);
  memory.write(at.BLOCK_STATE_ROOT, stateRoot);
  encodeHeader(executor, requests);
  memory.write(at.BLOCK_STATE_ROOT, root);
}

/** The hash of the header that was just made, and what it says of the block's lists. */
function headerOf(executor: Executor, records: StoreRecords | undefined): MadeHeader {
  const { core, memory } = executor;
  const encoded = records ? undefined : memory.bytes(core.headerBase(), core.headerSize());
  return Object.assign(rootsOf(executor), { encoded });
}
