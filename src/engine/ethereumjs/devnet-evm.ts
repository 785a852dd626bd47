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

/** The settings of a single run. */
export interface RunSettings {
  /** the block that contract code sees */
  readonly block: LibraryEnv;
  /** If set, the run pauses for other work when its time slice is used up. */
  readonly turns?: Pauses | undefined;
  /** Replaces the hardfork's precompiles; by address (40 hex digits without 0x). */
  readonly precompiles?: ReadonlyMap<string, PrecompileFunc> | undefined;
  /** True if the creation must fail because its creator's nonce can't be incremented (EIP-2681). */
  readonly overflowsNonce?: boolean;
}

const CREATE = 0xf0;
const CALL = 0xf1;
const CREATE2 = 0xf5;
const ECRECOVER = '01'.padStart(40, '0');
/** EIP-4844 */
const POINT_EVALUATION = '0a'.padStart(40, '0');

/** EthereumJS's EVM with precompiles that can be moved, and with runs that can be observed at each opcode, paused and aborted. */
export class DevnetEVM extends EVM {
  static {
    // The library rejects hardforks that it doesn't define.
    EVM.supportedHardforks = [...HARDFORKS] as typeof EVM.supportedHardforks;
  }

  declare stateManager: EngineState;
  declare blockLevelAccessList?: BlockLevelAccessList;
  /** whether the outermost frame has begun, that is, whether all checks before it have passed */
  hasBegun = false;
  /** gas that the outermost frame has left; 0 if it hasn't run */
  gasLeft = 0n;
  /** state gas that was returned during the run (EIP-8037) */
  stateGasReturned = 0n;
  #settings: RunSettings | undefined;
  /** the unwatched opcodes, for a run without a listener */
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

  /** Counts returned state gas, which the library subtracts from the used state gas as if it had never been used. */
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

  /** The caller must call this before each run. */
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

  /** The caller must call this after each run, so that an idle EVM keeps no state in memory and calls no listener. */
  release(): void {
    this.stateManager.release();
    this.watched.listener = undefined;
    this.events.removeAllListeners();
  }

  /** Adds the accounts and slots that the run has accessed (EIP-7928). @param except an account that isn't added */
  addTouched(touched: Touched, except?: string): void {
    if (this.blockLevelAccessList) addTouched(touched, this.blockLevelAccessList, except);
  }

  /** Passes the real block to the outermost frame: `runTx` may have a block with a lowered base fee, see `marketOf`. */
  override async runCall(call: EVMRunCallOpts): Promise<EVMResult> {
    if (call.message || !this.#settings) return super.runCall(call);
    this.hasBegun = true;
    const { block, overflowsNonce } = this.#settings;
    const result = overflowsNonce
      ? await this.#failCreation(call)
      : await super.runCall({ ...call, block: block.block as never });
    this.gasLeft = call.gasLimit! - result.execResult.executionGasUsed;
    // EIP-8037: the sender gets the reservoir back when the outermost frame halts. While this flag is set, the library would consume the
    // reservoir. The library leaves it set if a call couldn't pay for the account that it was about to create.
    this.eip7928CallPostTargetOog = false;
    return result;
  }

  /** Reports an outermost frame that the library hasn't begun, since the gas didn't suffice for its authorizations (EIP-2780). */
  tellFailed(call: EVMRunCallOpts, result: EVMResult): void {
    this.events.emit('beforeMessage', new Message(call as never));
    this.events.emit('afterMessage', result);
  }

  /**
   * Fails a creation. The library has already incremented the sender's nonce, which has wrapped around to 0, so the nonce is restored here.
   */
  async #failCreation({ caller, data, gasLimit, value }: EVMRunCallOpts): Promise<EVMResult> {
    this.events.emit('beforeMessage', new Message({ caller, data, gasLimit, value } as never));
    const account = await this.stateManager.getAccount(caller!);
    account!.nonce = MAX_UINT64;
    await this.stateManager.putAccount(caller!, account);
    this.events.emit('afterMessage', NONCE_OVERFLOW);
    return { ...NONCE_OVERFLOW, execResult: { ...NONCE_OVERFLOW.execResult } };
  }

  /** Replaced precompiles: an address that the hardfork's precompiles have stays warm, and the moved precompiles can be called. */
  override getPrecompile(address: Address | PrefixedHexString): PrecompileFunc | undefined {
    const moved = this.#settings?.precompiles;
    if (!moved) return super.getPrecompile(address);
    return moved.get(address.toString().slice(2).padStart(40, '0').toLowerCase());
  }

  protected override async runInterpreter(message: Message, opts?: InterpreterOpts): Promise<ExecResult> {
    if (message.depth === 0) this._opcodeMap = this.watched.isNeeded ? this.watched.table : this.#opcodes;
    return this.watched.frame(message.code as Uint8Array, () => super.runInterpreter(message, opts));
  }

  /** Pauses first, since a pairing check takes as long as thousands of opcodes. Loads KZG for EIP-4844's precompile. */
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
    // The library treats a failing precompile like a revert, and would return the regular gas that was used as state gas.
    if (message.isCompiled && execResult.exceptionError) execResult.stateGasSpilled = 0n;
    return result;
  }
}

/**
 * EIP-8037: the gas that a call passes on is limited to a share of the gas that is left after the charge for a new account. The library
 * computes the limit before that charge.
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
 * EIP-7928: a creation in a static frame halts before it accesses anything, like `generic_create` in EELS. The library charges the state
 * gas of the account first, and if that can't be paid, it lists the account as accessed.
 */
function withStaticCheck(entry: OpcodeTable[number], opcode: number): OpcodeTable[number] {
  if (opcode !== CREATE && opcode !== CREATE2) return entry;
  const gasHandler: OpcodeTable[number]['gasHandler'] = async (runState, fee, common) => {
    if (runState.interpreter.isStatic()) throw new EVMError(EVMError.errorMessages.STATIC_STATE_CHANGE);
    return entry.gasHandler(runState, fee, common);
  };
  return { ...entry, gasHandler };
}
