import { EVMError, type EVMResult } from '@ethereumjs/evm';
import type { DevnetEVM, OpcodeObserver } from './devnet-evm.ts';
import type { TracedRun, Tracer } from './engine.ts';
import { intrinsicGas } from './intrinsic-gas.ts';
import type { Executed } from './types.ts';
import type { RunState } from './watched-opcodes.ts';

/** The gas that a run needed, as far as the run itself shows it. */
export interface LeastGas {
  /** With this gas limit or a higher one, the run takes the same steps. */
  readonly gas: bigint;
  /** Whether it fails with any lower limit. Unknown when a contract may go on after a call that ran out of gas. */
  readonly exact: boolean;
}

interface OpenFrame {
  readonly gasLimit: bigint;
  /** the highest need so far, counted from the frame's gas limit */
  needed: bigint;
  /** the call that the frame is making */
  call: { readonly available: bigint; readonly stipend: bigint } | undefined;
}

/** gas that a callee gets on top when value is transferred */
export const CALL_STIPEND = 2_300n;
/** EIP-2200: SSTORE fails when this much gas or less is left */
const STORE_SENTRY = 2_300n;
const CALL = 0xf1;
const CALLCODE = 0xf2;
/** The opcodes whose gas argument is on top of the stack: CALL, CALLCODE, DELEGATECALL, STATICCALL. */
const TAKES_GAS: ReadonlySet<number | undefined> = new Set([CALL, CALLCODE, 0xf4, 0xfa]);

/**
 * Watches a run with ample gas and derives the lowest sufficient gas limit, which saves `eth_estimateGas` a search.
 * That works only if nothing in the run depends on its gas: GAS is read only for the call that follows (EIP-150
 * passes on at most all but one 64th of the remaining gas), no frame used all its gas, and nothing reads the sender's
 * balance while fees are charged.
 */
export class GasWatch implements Tracer, OpcodeObserver {
  #run: TracedRun | undefined;
  #known = true;
  #calls = false;
  /** need of the outermost frame, set when it ends */
  #needed = 0n;
  /** need of the call that ended last */
  #calleeNeeded = 0n;
  readonly #open: OpenFrame[] = [];

  attach(evm: DevnetEVM, run: TracedRun): () => void {
    this.#run = run;
    // Before EIP-150, a call that asks for more gas than is left fails.
    if (!run.hardfork.atLeast('tangerineWhistle')) this.#known = false;
    return evm.watch({
      observer: this,
      before: ({ gasLimit }) => void this.#open.push({ gasLimit, needed: 0n, call: undefined }),
      after: (result) => this.#leave(result),
    });
  }

  /** @returns `undefined` when only a search can find the limit */
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
    // A sender with delegated code can spend only what is left after fees, so its calls depend on its balance.
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
    // The least remaining gas of which EIP-150 passes on the given amount: all but one 64th.
    this.#need(available, given === 0n ? 0n : given + (given - 1n) / 63n);
    frame.call = undefined;
    this.#calleeNeeded = 0n;
  }

  selfdestruct(): void {
    this.readsBalance();
  }

  /** Records that `least` gas would have been enough at a point where the frame had `left`. */
  #need(left: bigint, least: bigint): void {
    const frame = this.#open.at(-1)!;
    const needed = frame.gasLimit - left + least;
    if (needed > frame.needed) frame.needed = needed;
  }

  #leave({ execResult: { exceptionError, executionGasUsed } }: EVMResult): void {
    const { needed } = this.#open.pop()!;
    // It used all its gas: with less it would have used less.
    if (exceptionError && exceptionError.error !== EVMError.errorMessages.REVERT) this.#known = false;
    this.#calleeNeeded = needed > executionGasUsed ? needed : executionGasUsed;
    if (this.#open.length === 0) this.#needed = this.#calleeNeeded;
  }
}
