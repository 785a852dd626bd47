import {
  type Log as EngineLog,
  EVM,
  EVMError,
  type EVMResult,
  type EVMRunCallOpts,
  type ExecResult,
  Message,
  NobleBN254,
  type PrecompileFunc,
} from '@ethereumjs/evm';
import {
  Address,
  BlockLevelAccessList,
  bigIntToAddressBytes,
  MAX_UINT64,
  type PrefixedHexString,
} from '@ethereumjs/util';
import type { Hardfork } from '../../protocol/hardfork.ts';
import { loadKzg } from '../../protocol/kzg.ts';
import { rollupPrecompiles } from '../../protocol/op-stack/rollup-precompiles.ts';
import type { SignatureOverrides } from '../../protocol/signature-overrides.ts';
import { transferLog } from '../../protocol/transfer-logs.ts';
import type { Pauses } from '../../turns.ts';
import { addTouched, type Touched } from '../touched.ts';
import type { EngineBlock } from './engine-block.ts';
import { EngineState } from './engine-state.ts';
import { NONCE_OVERFLOW } from './outcome.ts';
import { type OpcodeListener, type OpcodeTable, type RunState, WatchedOpcodes } from './watched-opcodes.ts';

/** Options of EthereumJS's interpreter besides the message. The library doesn't export their type. */
interface InterpreterOpts {
  pc?: number;
  initialLogs?: EngineLog[];
}

/** Observes opcodes that a run's messages don't show, without the cost of an {@link OpcodeListener}. */
export interface OpcodeObserver {
  /** Before a call or creation: CREATE 0xf0, CALL 0xf1, CALLCODE, DELEGATECALL, CREATE2, STATICCALL. */
  beforeCall?(opcode: number, runState: RunState): void;
  /** After the call has ended or was refused, but not where the opcode has failed; a refused call sends no message. */
  afterCall?(): void;
  /** @param topics number of topics; they are on the stack, the data in memory */
  log?(topics: number, runState: RunState): void;
  selfdestruct?(runState: RunState): void;
}

/** Called before each message, with each message's result, and before each step. */
export interface RunListeners {
  readonly observer?: OpcodeObserver;
  readonly before?: (message: Message) => void;
  readonly after?: (result: EVMResult) => void;
  readonly step?: OpcodeListener;
  /** Called when the code of a frame has ended, before what it wrote is taken back if it failed. The run waits for it. */
  readonly codeEnds?: (result: ExecResult) => Promise<void> | undefined;
}

/** What differs from run to run. */
export interface RunSettings {
  /** as code sees it */
  readonly block: EngineBlock;
  /** Adds a log for each transfer of ETH, see {@link transferLog}. */
  readonly transferLogs?: boolean;
  /** When set: the run pauses for other work when its time slice is used up. */
  readonly turns?: Pauses | undefined;
  /** Replaces the hardfork's precompiles; by address (40 hex digits). */
  readonly precompiles?: ReadonlyMap<string, PrecompileFunc> | undefined;
  /** Maps each emitted log to the number of logs before it, those of reverted frames included: {@link DevnetEVM.logNumbers}. */
  readonly numbersLogs?: boolean | undefined;
  /** The creation fails, since its creator's nonce can't be incremented (EIP-2681). */
  readonly overflowsNonce?: boolean;
}

/** CREATE, CALL, CALLCODE, DELEGATECALL, CREATE2, STATICCALL */
const CALLS = new Set([0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa]);
const CALL = 0xf1;
const CALLCODE = 0xf2;
const ECRECOVER = '01'.padStart(40, '0');
/** EIP-4844 */
const POINT_EVALUATION = '0a'.padStart(40, '0');
const LOG0 = 0xa0;
const LOG4 = 0xa4;
const INVALID = 0xfe;
const SELFDESTRUCT = 0xff;

type OpHandler = OpcodeTable[number]['opHandler'];

/**
 * EthereumJS's EVM with what simulations and traces need: logs of ETH transfers, precompiles that can be moved, observers of
 * opcodes.
 */
export class DevnetEVM extends EVM {
  declare stateManager: EngineState;
  declare blockLevelAccessList?: BlockLevelAccessList;
  /** of the run that {@link prepare} has begun; absent unless {@link RunSettings.numbersLogs} */
  logNumbers: Map<EngineLog, number> | undefined;
  /** whether the outermost frame has begun, after all that is checked before */
  hasBegun = false;
  /** gas that the outermost frame has left; 0 where it hasn't run */
  gasLeft = 0n;
  /** state gas that came back in the course of the run (EIP-8037) */
  stateGasReturned = 0n;
  #settings: RunSettings | undefined;
  readonly observers = new Set<OpcodeObserver>();
  /** the library's: a run that nobody hears of has no others */
  readonly #opcodes: OpcodeTable;
  readonly #observed: OpcodeTable;
  readonly #watched: WatchedOpcodes;
  readonly #codeEnds = new Set<NonNullable<RunListeners['codeEnds']>>();
  readonly #signatures: SignatureOverrides;
  /** whether the call that began last, at any depth, is a CALLCODE */
  #isCallCode = false;

  constructor({ hardfork, signatures }: { hardfork: Hardfork; signatures: SignatureOverrides }) {
    super({
      common: hardfork.common,
      // The hardfork's Common already has the engine's default parameters; passing those again would undo the overrides.
      params: hardfork.overrides,
      stateManager: new EngineState(),
      bn254: new NobleBN254(),
    });
    this.#signatures = signatures;
    // The hardfork's Common never changes, and its listener list would keep every EVM ever made in memory.
    hardfork.common.events.removeAllListeners('hardforkChanged');
    this._precompiles = rollupPrecompiles(this._precompiles, hardfork);
    this.#opcodes = hardfork.has(8037) ? this._opcodeMap.map(withFreshLimit) : this._opcodeMap;
    this._opcodeMap = this.#opcodes;
    this.#observed = this.#opcodes.map((entry, opcode) => this.#observe(opcode, entry));
    this.#watched = new WatchedOpcodes(this.#observed, this);
    this.#countReturned();
  }

  /** The library counts state gas that comes back as if it had never been used. */
  #countReturned(): void {
    let used = this.executionStateGasUsed;
    Object.defineProperty(this, 'executionStateGasUsed', {
      get: () => used,
      set: (gas: bigint) => {
        if (gas < used) this.stateGasReturned += used - gas;
        used = gas;
      },
    });
  }

  /** To be called before each run. */
  prepare(settings: RunSettings): void {
    this.#settings = settings;
    this.#watched.turns = settings.turns;
    this.blockchain = settings.block.blockchain;
    this.logNumbers = settings.numbersLogs ? new Map() : undefined;
    this.hasBegun = false;
    this.gasLeft = 0n;
    this.executionStateGasUsed = 0n;
    this.stateGasReturned = 0n;
    if (this.blockLevelAccessList) this.blockLevelAccessList = new BlockLevelAccessList();
  }

  /** Adds what the run has accessed (EIP-7928). @param except an account that isn't added */
  addTouched(touched: Touched, except?: string): void {
    if (this.blockLevelAccessList) addTouched(touched, this.blockLevelAccessList, except);
  }

  /** Gives the outermost frame the block as code sees it: that of `runTx` may have another base fee, see `marketOf`. */
  override async runCall(call: EVMRunCallOpts): Promise<EVMResult> {
    if (call.message || !this.#settings) return super.runCall(call);
    this.hasBegun = true;
    const { block, overflowsNonce } = this.#settings;
    const result = overflowsNonce
      ? await this.#failCreation(call)
      : await super.runCall({ ...call, block: block.block as never });
    this.gasLeft = call.gasLimit! - result.execResult.executionGasUsed;
    return result;
  }

  /** Tells of an outermost frame that the library hasn't begun, since there was too little gas for its authorizations (EIP-2780). */
  tellFailed(call: EVMRunCallOpts, result: EVMResult): void {
    this.events.emit('beforeMessage', new Message(call as never));
    this.events.emit('afterMessage', result);
  }

  /** The library counts the sender's nonce, which then begins at 0 again, before it begins the creation. */
  async #failCreation({ caller, data, gasLimit, value }: EVMRunCallOpts): Promise<EVMResult> {
    this.events.emit('beforeMessage', new Message({ caller, data, gasLimit, value } as never));
    const account = await this.stateManager.getAccount(caller!);
    account!.nonce = MAX_UINT64;
    await this.stateManager.putAccount(caller!, account);
    this.events.emit('afterMessage', NONCE_OVERFLOW);
    return { ...NONCE_OVERFLOW, execResult: { ...NONCE_OVERFLOW.execResult } };
  }

  /** Where the hardfork's precompiles are warm, moved ones can be called. */
  override getPrecompile(address: Address | PrefixedHexString): PrecompileFunc | undefined {
    const moved = this.#settings?.precompiles;
    if (!moved) return super.getPrecompile(address);
    return moved.get(address.toString().slice(2).padStart(40, '0').toLowerCase());
  }

  /** @returns the opcode's entry; another one where observers are told of the opcode */
  #observe(opcode: number, entry: OpcodeTable[number]): OpcodeTable[number] {
    // An opcode that the hardfork lacks shares its entry with INVALID.
    if (entry === this._opcodeMap[INVALID]) return entry;
    const { opHandler: run } = entry;
    if (opcode === SELFDESTRUCT) return { ...entry, opHandler: this.#selfdestruct(run) };
    if (opcode >= LOG0 && opcode <= LOG4) return { ...entry, opHandler: this.#log(opcode - LOG0, run) };
    return CALLS.has(opcode) ? { ...entry, opHandler: this.#call(opcode, run) } : entry;
  }

  #selfdestruct(run: OpHandler): OpHandler {
    return (runState, common) => {
      for (const observer of this.observers) observer.selfdestruct?.(runState);
      if (this.#tellsTransfers) {
        const [beneficiary] = runState.stack.peek(1) as [bigint];
        const { address, contract } = runState.env;
        if (contract.balance > 0n) {
          // The handler ends the frame, so the log must be added before.
          const heir = new Address(bigIntToAddressBytes(beneficiary));
          logsOf(runState).push(this.#transfer(address, heir, contract.balance));
        }
      }
      if (!this.logNumbers) return run(runState, common);
      return Promise.resolve(run(runState, common)).catch((end) => {
        // So the handler ends the frame, unless something can't be paid.
        if (end.error === EVMError.errorMessages.STOP) this.#numberNew(logsOf(runState));
        throw end;
      });
    };
  }

  #call(opcode: number, run: OpHandler): OpHandler {
    return (runState, common) => {
      this.#isCallCode = opcode === CALLCODE;
      const { observers } = this;
      if (observers.size === 0) return run(runState, common);
      for (const observer of observers) observer.beforeCall?.(opcode, runState);
      return Promise.resolve(run(runState, common)).then(() => {
        for (const observer of observers) observer.afterCall?.();
      });
    };
  }

  #log(topics: number, run: OpHandler): OpHandler {
    return (runState, common) => {
      for (const observer of this.observers) observer.log?.(topics, runState);
      const done = run(runState, common);
      if (this.logNumbers) this.#number(logsOf(runState).at(-1)!);
      return done;
    };
  }

  /** The opcodes of a run, by who hears of it. */
  #table(): OpcodeTable {
    if (this.#watched.isNeeded) return this.#watched.table;
    const isObserved = this.observers.size > 0 || this.logNumbers || this.#tellsTransfers;
    return isObserved ? this.#observed : this.#opcodes;
  }

  /** Attaches an observer of opcodes and listeners. @returns a function that detaches them */
  watch({ observer, before, after, step, codeEnds }: RunListeners): () => void {
    if (before) this.events.on('beforeMessage', before);
    if (after) this.events.on('afterMessage', after);
    if (step) this.#watched.listeners.add(step);
    if (codeEnds) this.#codeEnds.add(codeEnds);
    if (observer) this.observers.add(observer);
    return () => {
      if (before) this.events.off('beforeMessage', before);
      if (after) this.events.off('afterMessage', after);
      if (step) this.#watched.listeners.delete(step);
      if (codeEnds) this.#codeEnds.delete(codeEnds);
      if (observer) this.observers.delete(observer);
    };
  }

  protected override async runInterpreter(message: Message, opts: InterpreterOpts = {}): Promise<ExecResult> {
    const initialLogs = this.#logsTransfer(message)
      ? [this.#transfer(message.caller, message.to!, message.value)]
      : opts.initialLogs;
    this.#numberNew(initialLogs);
    if (message.depth === 0) this._opcodeMap = this.#table();
    const result = await this.#watched.frame(() =>
      super.runInterpreter(message, { ...opts, ...(initialLogs && { initialLogs }) }),
    );
    for (const listener of this.#codeEnds) await listener(result);
    return result;
  }

  /** Pauses, since a pairing check takes as long as thousands of opcodes; loads KZG for EIP-4844's precompile. */
  protected override async runPrecompile(...call: Parameters<EVM['runPrecompile']>): Promise<ExecResult> {
    const { turns } = this.#watched;
    if (turns?.due) await turns.pause();
    if (call[0] === this.precompiles.get(POINT_EVALUATION)) await loadKzg();
    const result = await super.runPrecompile(...call);
    const isRecover = !this.#signatures.isEmpty && call[0] === this.precompiles.get(ECRECOVER);
    const signer = isRecover && !result.exceptionError ? this.#signatures.answer(call[1]) : undefined;
    return signer ? { ...result, returnValue: signer } : result;
  }

  protected override async _executeCall(message: Message & { to: Address }): Promise<EVMResult> {
    const result = await super._executeCall(message);
    const { execResult } = result;
    // The library names a precompile that fails like one that reverts, and would give back what it has spent of its gas on the state.
    if (message.isCompiled && execResult.exceptionError) execResult.stateGasSpilled = 0n;
    return this.#withTransferLog(message, result);
  }

  protected override async _executeCreate(message: Message): Promise<EVMResult> {
    return this.#withTransferLog(message, await super._executeCreate(message));
  }

  /**
   * CALLCODE and DELEGATECALL transfer nothing: they run other code on the caller's own account. A message of CALLCODE to a contract's own
   * address looks like one of CALL.
   * @param message the one that began last
   */
  #logsTransfer({ value, delegatecall, depth }: Message): boolean {
    const isCallCode = depth > 0 && this.#isCallCode;
    return this.#tellsTransfers && value > 0n && !delegatecall && !isCallCode;
  }

  /** Whether transfers are asked for, which the hardfork doesn't log itself (EIP-7708). */
  get #tellsTransfers(): boolean {
    return this.#settings?.transferLogs === true && !this.common.isActivatedEIP(7708);
  }

  /** Frames without code and frames of precompiles never reach the interpreter: their transfer is logged here. */
  #withTransferLog(message: Message, result: EVMResult): EVMResult {
    const { execResult } = result;
    if (execResult.runState === undefined && this.#logsTransfer(message)) {
      const log = this.#transfer(message.caller, message.to!, message.value);
      if (!execResult.exceptionError) execResult.logs = [log];
    } else if (execResult.runState === undefined) this.#numberNew(execResult.logs);
    return result;
  }

  #transfer(from: Address, to: Address, value: bigint): EngineLog {
    return this.#number(transferLog(from, to, value));
  }

  /** Numbers the last of these logs, unless it has a number: one that the library has added for a transfer (EIP-7708). */
  #numberNew(logs: readonly EngineLog[] | undefined): void {
    const last = logs?.at(-1);
    if (last && this.logNumbers && !this.logNumbers.has(last)) this.#number(last);
  }

  #number(log: EngineLog): EngineLog {
    this.logNumbers?.set(log, this.logNumbers.size);
    return log;
  }
}

/**
 * EIP-8037: what a call passes on is limited by what is left after the charge for an account that it brings into being. The library limits
 * it before that charge.
 */
function withFreshLimit(entry: OpcodeTable[number], opcode: number): OpcodeTable[number] {
  if (opcode !== CALL) return entry;
  const gasHandler: OpcodeTable[number]['gasHandler'] = async (runState, fee, common) => {
    const gas = await entry.gasHandler(runState, fee, common);
    const left = runState.gasLeft - gas;
    const most = left - left / 64n;
    if (runState.messageGasLimit !== undefined && left >= 0n && runState.messageGasLimit > most)
      runState.messageGasLimit = most;
    return gas;
  };
  return { ...entry, gasHandler };
}

/** The list in which the interpreter collects the logs of a frame. */
function logsOf(runState: RunState): EngineLog[] {
  return (runState.interpreter as unknown as { _result: { logs: EngineLog[] } })._result.logs;
}
