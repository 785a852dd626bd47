import type { BlockView, Header } from '../../chain/block.ts';
import { startOf } from '../../chain/block-draft.ts';
import { DevnetError } from '../../errors.ts';
import type { BlockStart } from '../../evm/block-maker.ts';
import type { HexCall } from '../../evm/hex-call.ts';
import type { Awaitable } from '../../state/view.ts';
import type { Pauses } from '../../turns.ts';
import { draftSimulated } from './draft.ts';
import { type PlannedBlock, planBlocks, type SimulationRequest } from './plan.ts';
import {
  type SimulatedBlock,
  type SimulationBase,
  SimulationRun,
  type SimulatorDeps,
  type SimulatorOptions,
} from './run.ts';

/** Calls of a block that are simulated in one step, at most: nothing else runs meanwhile. */
const MOST_AT_ONCE = 4;

/** `eth_simulateV1`: executes blocks on top of any view. Their state is discarded at the end. */
export class Simulator {
  readonly #options: SimulatorOptions;
  readonly #deps: SimulatorDeps;
  /** by the header of the parent */
  readonly #starts = new WeakMap<Header, { readonly increment: bigint; readonly start: BlockStart }>();

  constructor(options: SimulatorOptions, deps: SimulatorDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** The same for one request, which pauses and ends by what it is given. */
  within(pauses: Pauses): Simulator {
    return new Simulator(this.#options, { ...this.#deps, pauses });
  }

  /**
   * On a sealed view the first simulated block is its child. On the pending view it continues the open block: with its
   * number, time, coinbase and base fee, on the state after its transactions.
   * @throws DevnetError with the codes of the execution-apis specification; there are no partial results
   */
  async simulate(view: BlockView, request: SimulationRequest): Promise<SimulatedBlock[]> {
    const { run, blocks } = this.#begin(view, request);
    return run.simulate(blocks);
  }

  /**
   * The same as JSON, with the hashes of the transactions, where the engine writes it: in UTF-8 where it is long.
   * @returns `undefined` when it has to be simulated by {@link simulate}, which also tells what is wrong with a call
   */
  write(view: BlockView, request: SimulationRequest<HexCall>): Awaitable<string | Uint8Array | undefined> {
    if (this.#options.stateRoot || !this.#deps.engine.writesBlocks) return undefined;
    const { run, blocks } = this.#begin(view, request);
    return run.write(blocks);
  }

  /**
   * The same for one block of few calls, with nothing but them, in one step.
   * @param latest a sealed block
   * @returns `undefined` where {@link write} has to do it
   */
  writeAtOnce(latest: BlockView, calls: readonly HexCall[]): string | Uint8Array | undefined {
    const { gasLimit, stateRoot } = this.#options;
    if (stateRoot || calls.length > MOST_AT_ONCE) return undefined;
    const start = this.#startAfter(latest);
    const gas = start.env.gasLimit;
    // Where the limit of the whole simulation is lower, the calls have two limits.
    return gasLimit < gas ? undefined : this.#deps.engine.simulateHex(latest.state, start, calls, gas);
  }

  /** How a block without overrides begins. */
  #startAfter(parent: BlockView): BlockStart {
    const increment = this.#options.timeIncrement();
    const { header } = parent;
    const known = this.#starts.get(header);
    if (known?.increment === increment) return known.start;
    const { coinbase, gasLimit } = header;
    const planned = { number: header.number + 1n, time: header.timestamp + increment };
    const start = startOf(
      draftSimulated(planned, { parent, coinbase, gasLimit, validation: false }, this.#deps),
    );
    this.#starts.set(header, { increment, start });
    return start;
  }

  #begin<C>(
    view: BlockView,
    request: SimulationRequest<C>,
  ): { run: SimulationRun; blocks: PlannedBlock<C>[] } {
    const base = this.#baseOf(view);
    const blocks = this.#plan(request, base);
    return { run: new SimulationRun(this.#options, this.#deps, request, view, base), blocks };
  }

  #plan<C>(request: SimulationRequest<C>, { parent, open }: SimulationBase): PlannedBlock<C>[] {
    return planBlocks(request.blockStateCalls, {
      number: parent.header.number,
      time: parent.header.timestamp,
      ...(open && { firstTime: open.timestamp }),
      increment: this.#options.timeIncrement(),
    });
  }

  #baseOf(view: BlockView): SimulationBase {
    if (view.sealed) return { parent: view };
    const { parentHash: hash } = view.header;
    const header = this.#deps.headerOf(hash);
    if (!header) throw new DevnetError('headerNotFound');
    return { parent: { header, hash }, open: view.header };
  }
}
