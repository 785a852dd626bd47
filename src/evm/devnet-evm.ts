import {
  type Log as EngineLog,
  EVM,
  type EVMOpts,
  type EVMResult,
  type ExecResult,
  type Message,
  type PrecompileFunc,
} from '@ethereumjs/evm';
import { Address, bigIntToAddressBytes } from '@ethereumjs/util';
import type { EngineState } from './engine-state.ts';
import { transferLog } from './transfer-logs.ts';

/** What the engine's interpreter takes besides the message. Not exported by the library. */
interface InterpreterOpts {
  pc?: number;
  initialLogs?: EngineLog[];
}

/**
 * The engine with what a simulation asks of it: logs for movements of ETH and precompiles that can be moved. Both are
 * off between runs.
 */
export class DevnetEVM extends EVM {
  declare stateManager: EngineState;
  /** Log every movement of ETH, see {@link transferLog}. */
  transferLogs = false;
  /** 40 hex digits -> precompile: those of the fork, also while others are in use */
  readonly forkPrecompiles: ReadonlyMap<string, PrecompileFunc>;
  readonly #precompiles: Map<string, PrecompileFunc>;

  constructor(opts: EVMOpts & { stateManager: EngineState }) {
    super(opts);
    // The Common of a fork never changes, and would otherwise hold every EVM that was ever made.
    opts.common?.events.removeAllListeners('hardforkChanged');
    this.forkPrecompiles = this.#precompiles = this._precompiles;
    const selfdestruct = this._opcodeMap[0xff];
    if (!selfdestruct) throw new Error('the engine has no SELFDESTRUCT');
    const run = selfdestruct.opHandler;
    selfdestruct.opHandler = (runState, common) => {
      if (this.transferLogs) {
        const [beneficiary] = runState.stack.peek(1) as [bigint];
        const { address, contract } = runState.env;
        if (contract.balance > 0n) {
          // The log comes before the frame ends in the handler; `_result` is where the interpreter collects logs.
          const { _result } = runState.interpreter as unknown as { _result: { logs: unknown[] } };
          _result.logs.push(
            transferLog(address, new Address(bigIntToAddressBytes(beneficiary)), contract.balance),
          );
        }
      }
      return run(runState, common);
    };
  }

  /** Addresses (40 hex digits, no 0x) -> precompile, for the next run; without argument those of the fork. */
  usePrecompiles(precompiles: Map<string, PrecompileFunc> = this.#precompiles): void {
    this._precompiles = precompiles;
  }

  protected override async runInterpreter(message: Message, opts: InterpreterOpts = {}): Promise<ExecResult> {
    if (!this.#logsTransfer(message)) return super.runInterpreter(message, opts);
    return super.runInterpreter(message, {
      ...opts,
      initialLogs: [transferLog(message.caller, message.to!, message.value)],
    });
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
    if (execResult.runState === undefined && !execResult.exceptionError && this.#logsTransfer(message)) {
      execResult.logs = [transferLog(message.caller, message.to!, message.value)];
    }
    return result;
  }
}
