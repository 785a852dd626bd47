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
import { type Address, BlockLevelAccessList, MAX_UINT64, type PrefixedHexString } from '@ethereumjs/util';
import { HARDFORKS, type Hardfork } from '../../protocol/hardfork.ts';
import { loadKzg } from '../../protocol/kzg.ts';
import { rollupPrecompiles } from '../../protocol/op-stack/rollup-precompiles.ts';
import type { SignatureOverrides } from '../../protocol/signature-overrides.ts';
import type { Pauses } from '../../turns.ts';
import { addTouched, type Touched } from '../touched.ts';
import { EngineState } from './engine-state.ts';
import { withLegacyCode } from './legacy-code.ts';
import type { LibraryEnv } from './library-env.ts';
import type { OpcodeTable } from './opcode-step.ts';
import { NONCE_OVERFLOW } from './outcome.ts';
import { withBounds } from './return-data-copy.ts';
import { WatchedOpcodes } from './watched-opcodes.ts';

/** Options of EthereumJS's interpreter besides the message. The library doesn't export their type. */
interface InterpreterOpts {
  pc?: number;
  initialLogs?: EngineLog[];
}

/** What differs from run to run. */
export interface RunSettings {
  /** as code sees it */
  readonly block: LibraryEnv;
  /** When set: the run pauses for other work when its time slice is used up. */
  readonly turns?: Pauses | undefined;
  /** Replaces the hardfork's precompiles; by address (40 hex digits). */
  readonly precompiles?: ReadonlyMap<string, PrecompileFunc> | undefined;
  /** The creation fails, since its creator's nonce can't be incremented (EIP-2681). */
  readonly overflowsNonce?: boolean;
}

const CREATE = 0xf0;
const CALL = 0xf1;
const CREATE2 = 0xf5;
const ECRECOVER = '01'.padStart(40, '0');
/** EIP-4844 */
const POINT_EVALUATION = '0a'.padStart(40, '0');

/** EthereumJS's EVM, whose precompiles can be moved, and whose runs are heard of opcode by opcode, pause and end. */
export class DevnetEVM extends EVM {
  static {
    // The library refuses hardforks that it doesn't define.
    EVM.supportedHardforks = [...HARDFORKS] as typeof EVM.supportedHardforks;
  }

  declare stateManager: EngineState;
  declare blockLevelAccessList?: BlockLevelAccessList;
  /** whether the outermost frame has begun, after all that is checked before */
  hasBegun = false;
  /** gas that the outermost frame has left; 0 where it hasn't run */
  gasLeft = 0n;
  /** state gas that came back in the course of the run (EIP-8037) */
  stateGasReturned = 0n;
  #settings: RunSettings | undefined;
  /** the library's: a run that nobody hears of has no others */
  readonly #opcodes: OpcodeTable;
  readonly watched: WatchedOpcodes;
  readonly #signatures: SignatureOverrides;

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
    const checked = hardfork.has(7928) ? this._opcodeMap.map(withStaticCheck) : this._opcodeMap;
    const limited = hardfork.has(8037) ? checked.map(withFreshLimit) : checked;
    const opcodes = hardfork.has(211) ? limited.map(withBounds) : limited;
    this.#opcodes = withLegacyCode(opcodes, hardfork);
    this.watched = new WatchedOpcodes(this.#opcodes, this);
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
    this.watched.turns = settings.turns;
    this.blockchain = settings.block.blockchain;
    this.hasBegun = false;
    this.gasLeft = 0n;
    this.executionStateGasUsed = 0n;
    this.stateGasReturned = 0n;
    if (this.blockLevelAccessList) this.blockLevelAccessList = new BlockLevelAccessList();
  }

  /** To be called after each run: an idle EVM keeps no state in memory, and tells nobody. */
  release(): void {
    this.stateManager.release();
    this.watched.listener = undefined;
    this.events.removeAllListeners();
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
    // EIP-8037: the sender gets the reservoir back when the outermost frame halts. The library would use it up where a call couldn't pay
    // for the account that it was about to create; it does so where this flag is still set.
    this.eip7928CallPostTargetOog = false;
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

  protected override async runInterpreter(message: Message, opts?: InterpreterOpts): Promise<ExecResult> {
    if (message.depth === 0) this._opcodeMap = this.watched.isNeeded ? this.watched.table : this.#opcodes;
    return this.watched.frame(message.code as Uint8Array, () => super.runInterpreter(message, opts));
  }

  /** Pauses, since a pairing check takes as long as thousands of opcodes; loads KZG for EIP-4844's precompile. */
  protected override async runPrecompile(...call: Parameters<EVM['runPrecompile']>): Promise<ExecResult> {
    const { turns } = this.watched;
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
    return result;
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

/**
 * EIP-7928: a creation in a static frame halts before it accesses anything, as `generic_create` of EELS does. The library charges the
 * state gas of the account first, and lists the account as accessed where that can't be paid.
 */
function withStaticCheck(entry: OpcodeTable[number], opcode: number): OpcodeTable[number] {
  if (opcode !== CREATE && opcode !== CREATE2) return entry;
  const gasHandler: OpcodeTable[number]['gasHandler'] = async (runState, fee, common) => {
    if (runState.interpreter.isStatic()) throw new EVMError(EVMError.errorMessages.STATIC_STATE_CHANGE);
    return entry.gasHandler(runState, fee, common);
  };
  return { ...entry, gasHandler };
}
