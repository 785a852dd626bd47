import type { CallView } from '../chain/block.ts';
import type { Tracer } from '../engine/engine.ts';
import { DevnetError } from '../errors.ts';
import type { AnsweredCall, Caller } from '../execution/call.ts';
import type { Outcome } from '../protocol/types.ts';
import type { Awaitable } from '../state/view.ts';
import type { Runs } from './compare.ts';

/** The runs of a call on the state on which the node answered it. */
export class CallRuns implements Runs {
  readonly gasLimit: bigint;
  readonly mostGas: bigint;
  /** Always undefined: a call's gas limit is its own, or the node's limit for calls. */
  readonly estimate = undefined;
  readonly hasLogs = false;
  readonly #call: AnsweredCall;
  readonly #viewThen: CallView;
  readonly #callers: { readonly now: Caller; readonly other: Caller };

  /**
   * @param options.mostGas the node's gas limit for calls
   * @param options.mostGasThen the same by the other rules
   * @param options.viewThen the view with a header of the other rules
   */
  constructor(
    call: AnsweredCall,
    options: { readonly mostGas: bigint; readonly mostGasThen: bigint; readonly viewThen: CallView },
    callers: { readonly now: Caller; readonly other: Caller },
  ) {
    const { gas } = call.request;
    this.gasLimit = gas === undefined || gas > options.mostGas ? options.mostGas : gas;
    this.mostGas = options.mostGasThen;
    this.#call = call;
    this.#viewThen = options.viewThen;
    this.#callers = callers;
  }

  now(tracer?: Tracer): Awaitable<Outcome> {
    const { view, request, overrides, executed } = this.#call;
    return tracer ? this.#callers.now.call(view, request, overrides, { tracer }) : executed;
  }

  async other({ gas, tracer }: { gas?: bigint; tracer?: Tracer } = {}): Promise<Outcome> {
    const { request, overrides } = this.#call;
    const asked = gas === undefined ? request : { ...request, gas };
    try {
      return await this.#callers.other.call(this.#viewThen, asked, overrides, { tracer });
    } catch (error) {
      if (error instanceof DevnetError) return { kind: 'invalid', error };
      throw error;
    }
  }

  async needs(): Promise<bigint | undefined> {
    const { request, overrides } = this.#call;
    const { gas: _, ...rest } = request;
    try {
      return await this.#callers.other.estimateGas(this.#viewThen, rest, overrides);
    } catch (error) {
      if (error instanceof DevnetError) return undefined;
      throw error;
    }
  }

  /** Always false: the gas limit of a call is rarely so low that this matters. */
  paysForRecipient(): boolean {
    return false;
  }

  /** Always undefined: nobody can read the state after a call. */
  stateDifference(): undefined {
    return undefined;
  }
}
