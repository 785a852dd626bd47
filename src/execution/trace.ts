import { type BlockView, type Transaction, withState } from '../chain/block.ts';
import type { Tracer } from '../engine/engine.ts';
import type { Executed } from '../protocol/types.ts';
import { Overlay } from '../state/overlay.ts';
import type { Pauses } from '../turns.ts';
import type { Caller, CallOverrides } from './call.ts';
import type { CallRequest } from './call-request.ts';
import { type Replayable, type ReplayDeps, TransactionReplay } from './transaction-replay.ts';
import { executionWitness, type Witness } from './witness.ts';

/** A tracer for one execution, and the function that computes its result. */
export interface Trace<T> {
  readonly tracer: Tracer;
  readonly result: (executed: Executed) => T | Promise<T>;
}

/** Executes transactions, blocks and calls with a tracer. */
export class Tracing {
  readonly #deps: ReplayDeps & { readonly caller: Caller };

  constructor(deps: ReplayDeps & { readonly caller: Caller }) {
    this.#deps = deps;
  }

  /** Returns the same object for one request. @param pauses decides when the request pauses and when it must end */
  within(pauses: Pauses): Tracing {
    return new Tracing({ ...this.#deps, pauses });
  }

  /** Traces one transaction of a block. @throws like {@link TransactionReplay} */
  async transaction<T>(block: Replayable, index: number, trace: Trace<T>): Promise<T> {
    const replay = await TransactionReplay.open(block, this.#deps);
    await replay.skipTo(index);
    return trace.result(await replay.next(trace.tracer));
  }

  /** Traces all transactions of a block, in order. @param traceOf makes a new trace for each */
  async block<T>(block: Replayable, traceOf: (index: number) => Trace<T>): Promise<T[]> {
    const replay = await TransactionReplay.open(block, this.#deps);
    const results: T[] = [];
    for (let index = 0; index < block.transactions.length; index++) {
      const trace = traceOf(index);
      results.push(await trace.result(await replay.next(trace.tracer)));
    }
    return results;
  }

  /** Traces a call on a block's state. @param options.before if given: on the state before the transaction at this index */
  async call<T>(
    view: BlockView,
    request: CallRequest,
    trace: Trace<T>,
    options: { readonly overrides?: CallOverrides; readonly before?: number | undefined } = {},
  ): Promise<T> {
    const { caller, pauses } = this.#deps;
    const at =
      options.before === undefined ? view : withState(view, await this.stateBefore(view, options.before));
    const { tracer, result } = trace;
    return result(await caller.call(at, request, options.overrides, { tracer, pauses }));
  }

  /** Traces calls in order, each on the state after the previous ones. */
  async calls<T>(
    view: BlockView,
    calls: readonly { readonly request: CallRequest; readonly trace: Trace<T> }[],
  ): Promise<T[]> {
    const results: T[] = [];
    const watched = calls.map(({ request, trace: { tracer, result } }) => ({
      request,
      tracer,
      ended: async (executed: Executed) => {
        results.push(await result(executed));
      },
    }));
    const { caller, pauses } = this.#deps;
    await caller.callInSequence(view, watched, { pauses });
    return results;
  }

  /**
   * Traces a signed transaction on a block's state, as if it were that block's next transaction.
   * @throws DevnetError -32003 if the transaction is invalid there
   */
  async signed<T>(view: BlockView, transaction: Transaction, { tracer, result }: Trace<T>): Promise<T> {
    let traced: T;
    const ended = async (executed: Executed) => {
      traced = await result(executed);
    };
    const { caller, pauses } = this.#deps;
    await caller.transactInSequence(view, [{ transaction, tracer, ended }], { pauses });
    return traced!;
  }

  /** The data that the execution of a block reads, see {@link executionWitness}. */
  witness(view: BlockView): Promise<Witness> {
    return executionWitness(view, this.#deps);
  }

  /** The state before the block's transaction at this index. */
  async stateBefore(view: BlockView, index: number): Promise<Overlay> {
    const { chain } = this.#deps;
    if (view.header.number === chain.genesis && view.transactions.length === 0)
      return new Overlay(view.state);
    const replay = await TransactionReplay.open(view, this.#deps);
    await replay.skipTo(index);
    return replay.state;
  }
}
