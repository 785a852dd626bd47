import {
  type Log as EngineLog,
  EVM,
  type EVMOpts,
  type EVMResult,
  type ExecResult,
  type InterpreterStep,
  type Message,
  type PrecompileFunc,
} from '@ethereumjs/evm';
import { Account, Address, bigIntToAddressBytes } from '@ethereumjs/util';
import type { Turns } from '../turns.ts';
import type { EngineState } from './engine-state.ts';
import { adoptInterpreter, needsInterpreter, runFrame } from './interpreter.ts';
import { loadKzg } from './kzg.ts';
import type { SignatureOverrides } from './signature-overrides.ts';
import { transferLog } from './transfer-logs.ts';

/** What the engine's interpreter takes besides the message. Not exported by the library. */
interface InterpreterOpts {
  pc?: number;
  initialLogs?: EngineLog[];
}

/** What an opcode's handler works on. The library doesn't export it by name. */
export type RunState = NonNullable<ExecResult['runState']>;

/** Sees what a tracer can't learn from the messages of a run, without the cost of a `step` listener. */
export interface OpcodeObserver {
  /** A call or a creation is about to be made: CREATE 0xf0, CALL 0xf1, CALLCODE, DELEGATECALL, CREATE2, STATICCALL. */
  beforeCall(opcode: number, runState: RunState): void;
  /** It is over, or it was refused: then no message was sent. */
  afterCall(): void;
  /** @param topics how many; they and the data are on the stack and in the memory */
  log(topics: number, runState: RunState): void;
  selfdestruct(runState: RunState): void;
  /** GAS; the program counter stands behind it */
  readsGas?(runState: RunState): void;
  /** BALANCE, SELFBALANCE */
  readsBalance?(runState: RunState): void;
  /** SSTORE, before its gas is taken */
  beforeStore?(runState: RunState): void;
}

/** CREATE, CALL, CALLCODE, DELEGATECALL, CREATE2, STATICCALL */
const CALLS = [0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa];
const ECRECOVER = '01'.padStart(40, '0');
/** EIP-4844 */
const POINT_EVALUATION = '0a'.padStart(40, '0');
const NO_OPCODES = new Uint8Array(0);
const LOG0 = 0xa0;
const LOG4 = 0xa4;
const GAS = 0x5a;
const BALANCES = [0x31, 0x47];
const SSTORE = 0x55;

/**
 * The engine with what simulations and traces ask of it: logs for movements of ETH, precompiles that can be moved, an
 * observer of opcodes. All are off between runs.
 */
export class DevnetEVM extends EVM {
  declare stateManager: EngineState;
  /** Log every movement of ETH, see {@link transferLog}. */
  transferLogs = false;
  /** Where set: each log that is emitted -> how many came before it, those of frames that revert later counted too. */
  logNumbers: Map<EngineLog, number> | undefined;
  readonly observers = new Set<OpcodeObserver>();
  /** Where set: the run gives way to other work when that has waited long enough. */
  turns: Turns | undefined;
  /** opcodes until the next look at the clock; the interpreter counts them */
  stepsToLook = 0;
  /** 40 hex digits -> precompile: those of the hardfork, also while others are in use */
  readonly forkPrecompiles: ReadonlyMap<string, PrecompileFunc>;
  readonly #precompiles: Map<string, PrecompileFunc>;

  readonly #signatures: SignatureOverrides;

  constructor(opts: EVMOpts & { stateManager: EngineState; signatures: SignatureOverrides }) {
    super(opts);
    this.#signatures = opts.signatures;
    // The Common of a hardfork never changes, and would otherwise hold every EVM that was ever made.
    opts.common?.events.removeAllListeners('hardforkChanged');
    this.forkPrecompiles = this.#precompiles = this._precompiles;
    const selfdestruct = this._opcodeMap[0xff];
    if (!selfdestruct) throw new Error('the engine has no SELFDESTRUCT');
    const run = selfdestruct.opHandler;
    selfdestruct.opHandler = (runState, common) => {
      for (const observer of this.observers) observer.selfdestruct(runState);
      if (this.transferLogs) {
        const [beneficiary] = runState.stack.peek(1) as [bigint];
        const { address, contract } = runState.env;
        if (contract.balance > 0n) {
          // The log comes before the frame ends in the handler.
          const heir = new Address(bigIntToAddressBytes(beneficiary));
          logsOf(runState).push(this.#transfer(address, heir, contract.balance));
        }
      }
      return run(runState, common);
    };
    for (const opcode of CALLS) this.#observeCall(opcode);
    for (let opcode = LOG0; opcode <= LOG4; opcode++) this.#observeLog(opcode);
    this.#observe(GAS, (observer, runState) => observer.readsGas?.(runState));
    for (const opcode of BALANCES)
      this.#observe(opcode, (observer, runState) => observer.readsBalance?.(runState));
    const store = this._opcodeMap[SSTORE]!;
    const gasOfStore = store.gasHandler;
    store.gasHandler = ((runState, gas, common) => {
      for (const observer of this.observers) observer.beforeStore?.(runState);
      return gasOfStore(runState, gas, common);
    }) as typeof gasOfStore;
  }

  #observe(opcode: number, tell: (observer: OpcodeObserver, runState: RunState) => void): void {
    const entry = this._opcodeMap[opcode];
    // An opcode that the hardfork doesn't know shares its entry with INVALID.
    if (!entry || entry === this._opcodeMap[0xfe]) return;
    const run = entry.opHandler;
    entry.opHandler = (runState, common) => {
      for (const observer of this.observers) tell(observer, runState);
      return run(runState, common);
    };
  }

  #observeCall(opcode: number): void {
    const entry = this._opcodeMap[opcode];
    // An opcode that the hardfork doesn't know shares its entry with INVALID.
    if (!entry || entry === this._opcodeMap[0xfe]) return;
    const run = entry.opHandler;
    entry.opHandler = (runState, common) => {
      const { observers } = this;
      if (observers.size === 0) return run(runState, common);
      for (const observer of observers) observer.beforeCall(opcode, runState);
      return Promise.resolve(run(runState, common)).finally(() => {
        for (const observer of observers) observer.afterCall();
      });
    };
  }

  #observeLog(opcode: number): void {
    const entry = this._opcodeMap[opcode]!;
    const run = entry.opHandler;
    entry.opHandler = (runState, common) => {
      for (const observer of this.observers) observer.log(opcode - LOG0, runState);
      const done = run(runState, common);
      if (this.logNumbers) this.#number(logsOf(runState).at(-1)!);
      return done;
    };
  }

  /**
   * Attaches an observer, and what is told of each message and of what became of it.
   * @returns detaches all three
   */
  watch(
    observer: OpcodeObserver,
    before: (message: Message) => void,
    after: (result: EVMResult) => void,
  ): () => void {
    this.events.on('beforeMessage', before);
    this.events.on('afterMessage', after);
    this.observers.add(observer);
    return () => {
      this.events.off('beforeMessage', before);
      this.events.off('afterMessage', after);
      this.observers.delete(observer);
    };
  }

  /**
   * Attaches what sees the machine before each step. The run waits for what it returns, and ends when that rejects: the engine
   * waits for a listener of two parameters.
   * @returns detaches it
   */
  onStep(listener: (data: InterpreterStep) => Promise<void> | undefined): () => void {
    const step = (data: InterpreterStep, resolve?: (done?: Promise<void>) => void) =>
      resolve?.(listener(data));
    this.events.on('step', step);
    return () => this.events.off('step', step);
  }

  /** Addresses (40 hex digits, no 0x) -> precompile, for the next run; without argument those of the hardfork. */
  usePrecompiles(precompiles: Map<string, PrecompileFunc> = this.#precompiles): void {
    this._precompiles = precompiles;
  }

  /** Handlers and gas rules by opcode. */
  get opcodeTable(): EVM['_opcodeMap'] {
    return this._opcodeMap;
  }

  protected override async runInterpreter(message: Message, opts: InterpreterOpts = {}): Promise<ExecResult> {
    const initialLogs = this.#logsTransfer(message)
      ? [this.#transfer(message.caller, message.to!, message.value)]
      : opts.initialLogs;
    if (needsInterpreter()) {
      const { runState } = await super.runInterpreter({ ...message, code: NO_OPCODES } as Message);
      adoptInterpreter(runState);
    }
    return this.#runFrame(message, initialLogs);
  }

  /** A pairing takes as long as thousands of opcodes, and one of them needs its library. */
  protected override async runPrecompile(...call: Parameters<EVM['runPrecompile']>): Promise<ExecResult> {
    if (this.turns?.due) await this.turns.pause();
    if (call[0] === this.forkPrecompiles.get(POINT_EVALUATION)) await loadKzg();
    const result = await super.runPrecompile(...call);
    const isRecover = !this.#signatures.isEmpty && call[0] === this.forkPrecompiles.get(ECRECOVER);
    const signer = isRecover && !result.exceptionError ? this.#signatures.answer(call[1]) : undefined;
    return signer ? { ...result, returnValue: signer } : result;
  }

  async #runFrame(message: Message, initialLogs: EngineLog[] | undefined): Promise<ExecResult> {
    const { gasLimit, selfdestruct, createdAddresses } = message;
    // Precompiles, whose code is a function, and creations without an address yet don't get here.
    const to = message.to!;
    const code = message.code as Uint8Array;
    const env = {
      address: to,
      caller: message.caller,
      callData: message.data,
      callValue: message.value,
      code,
      isStatic: message.isStatic,
      isCreate: message.isCreate ?? false,
      depth: message.depth,
      gasPrice: this._tx!.gasPrice,
      origin: this._tx!.origin,
      block: this._block,
      contract: (await this.stateManager.getAccount(to)) ?? new Account(),
      codeAddress: message.codeAddress,
      gasRefund: message.gasRefund,
      chargeCodeAccesses: message.chargeCodeAccesses,
      blobVersionedHashes: message.blobVersionedHashes ?? [],
      accessWitness: message.accessWitness,
      createdAddresses,
      initialLogs,
    };
    return runFrame(this, { code, gasLimit, env, selfdestruct, createdAddresses });
  }

  protected override async _executeCall(message: Message & { to: Address }): Promise<EVMResult> {
    return this.#withTransferLog(message, await super._executeCall(message));
  }

  protected override async _executeCreate(message: Message): Promise<EVMResult> {
    return this.#withTransferLog(message, await super._executeCreate(message));
  }

  /** CALLCODE and DELEGATECALL move nothing: they run other code on the caller's own account. */
  #logsTransfer(message: Message): boolean {
    return (
      this.transferLogs &&
      message.value > 0n &&
      !message.delegatecall &&
      (message._codeAddress === undefined ||
        message.to === undefined ||
        message._codeAddress.equals(message.to))
    );
  }

  /** A frame without code, or of a precompile, never reaches the interpreter: its transfer is logged here. */
  #withTransferLog(message: Message, result: EVMResult): EVMResult {
    const { execResult } = result;
    if (execResult.runState === undefined && this.#logsTransfer(message)) {
      const log = this.#transfer(message.caller, message.to!, message.value);
      if (!execResult.exceptionError) execResult.logs = [log];
    }
    return result;
  }

  #transfer(from: Address, to: Address, value: bigint): EngineLog {
    return this.#number(transferLog(from, to, value));
  }

  #number(log: EngineLog): EngineLog {
    this.logNumbers?.set(log, this.logNumbers.size);
    return log;
  }
}

/** Where the interpreter collects the logs of a frame. */
function logsOf(runState: RunState): EngineLog[] {
  return (runState.interpreter as unknown as { _result: { logs: EngineLog[] } })._result.logs;
}
