import { EVMError, type EVMResult } from '@ethereumjs/evm';
import type { DevnetEVM, OpcodeObserver, RunState } from './devnet-evm.ts';
import type { TracedRun, Tracer } from './engine.ts';
import { intrinsicGas } from './intrinsic-gas.ts';
import type { Executed } from './types.ts';

/** What a run tells of the gas that it needed. */
export interface LeastGas {
  /** With this much or more it does the same, step by step. */
  readonly gas: bigint;
  /** Whether it fails with less. A contract may go on where one that it calls ran out of gas: then that isn't known. */
  readonly exact: boolean;
}

interface OpenFrame {
  readonly gasLimit: bigint;
  /** the most gas that was needed so far, of what the frame was given */
  needed: bigint;
  /** the call that it is making */
  call: { readonly available: bigint; readonly stipend: bigint } | undefined;
}

/** gas that a callee gets with a value transfer on top of what it is given */
const CALL_STIPEND = 2_300n;
/** EIP-2200: SSTORE fails with this much gas left or less */
const STORE_SENTRY = 2_300n;
const CALL = 0xf1;
const CALLCODE = 0xf2;
/** The opcodes whose gas argument is on top of the stack: CALL, CALLCODE, DELEGATECALL, STATICCALL. */
const TAKES_GAS: ReadonlySet<number | undefined> = new Set([CALL, CALLCODE, 0xf4, 0xfa]);

/**
 * Watches a run with ample gas to learn how little would have done, which saves `eth_estimateGas` the search. It is
 * known where nothing in the run depends on the gas it has: GAS is read only for the call that follows (EIP-150 gives
 * the callee all but one 64th of what is left), no frame used up what it was given, and nobody looks at the sender's
 * balance while fees are taken from it.
 */
export class GasWatch implements Tracer, OpcodeObserver {
  #run: TracedRun | undefined;
  #known = true;
  #calls = false;
  /** what the outermost frame needed, when it is over */
  #needed = 0n;
  /** what the call needed that ended last */
  #calleeNeeded = 0n;
  readonly #open: OpenFrame[] = [];

  attach(evm: DevnetEVM, run: TracedRun): () => void {
    this.#run = run;
    // Before EIP-150 a call with more gas than there is fails.
    if (!run.hardfork.atLeast('tangerineWhistle')) this.#known = false;
    return evm.watch(
      this,
      ({ gasLimit }) => this.#open.push({ gasLimit, needed: 0n, call: undefined }),
      (result) => this.#leave(result),
    );
  }

  /** @returns `undefined` where only trying can tell */
  leastGas(executed: Executed): LeastGas | undefined {
    if (!this.#run || !this.#known || !executed.success) return undefined;
    const { message, hardfork } = this.#run;
    const needed = intrinsicGas(message, hardfork).gas + this.#needed;
    return {
      gas: needed > executed.maxUsedGas ? needed : executed.maxUsedGas,
      exact: !this.#calls,
    };
  }

  readsGas({ code, programCounter }: RunState): void {
    if (!TAKES_GAS.has(code[programCounter])) this.#known = false;
  }

  readsBalance(): void {
    if (this.#run!.message.maxFeePerGas > 0n) this.#known = false;
  }

  beforeStore({ gasLeft }: RunState): void {
    if (this.#run!.hardfork.atLeast('istanbul')) this.#need(gasLeft, STORE_SENTRY + 1n);
  }

  beforeCall(opcode: number, { env, gasLeft, stack }: RunState): void {
    this.#calls = true;
    // A delegated sender spends what its fees leave.
    if (env.address.equals(env.origin)) this.readsBalance();
    const withValue = (opcode === CALL || opcode === CALLCODE) && stack.peek(3)[2]! > 0n;
    this.#open.at(-1)!.call = { available: gasLeft, stipend: withValue ? CALL_STIPEND : 0n };
    this.#calleeNeeded = 0n;
  }

  afterCall(): void {
    const frame = this.#open.at(-1);
    if (!frame?.call) return;
    const { available, stipend } = frame.call;
    const given = this.#calleeNeeded > stipend ? this.#calleeNeeded - stipend : 0n;
    // The least of which EIP-150 passes on so much: all but one 64th.
    this.#need(available, given === 0n ? 0n : given + (given - 1n) / 63n);
    frame.call = undefined;
    this.#calleeNeeded = 0n;
  }

  log(): void {}

  selfdestruct(): void {
    this.readsBalance();
  }

  /** The frame has `left` and would do with `least`. */
  #need(left: bigint, least: bigint): void {
    const frame = this.#open.at(-1)!;
    const needed = frame.gasLimit - left + least;
    if (needed > frame.needed) frame.needed = needed;
  }

  #leave({ execResult: { exceptionError, executionGasUsed } }: EVMResult): void {
    const { needed } = this.#open.pop()!;
    // It took all it got: with less it would take less.
    if (exceptionError && exceptionError.error !== EVMError.errorMessages.REVERT) this.#known = false;
    this.#calleeNeeded = needed > executionGasUsed ? needed : executionGasUsed;
    if (this.#open.length === 0) this.#needed = this.#calleeNeeded;
  }
}
