import type { BlockView } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import { type Pauses, turns } from '../../turns.ts';
import { planBlocks, type SimulationRequest } from './plan.ts';
import {
  type Simulated,
  type SimulationBase,
  SimulationRun,
  type SimulatorDeps,
  type SimulatorOptions,
} from './run.ts';

/** `eth_simulateV1`: executes blocks on top of any view, and discards their state at the end. */
export class Simulator {
  readonly #options: SimulatorOptions;
  readonly #deps: SimulatorDeps;

  constructor(options: SimulatorOptions, deps: SimulatorDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /**
   * Simulates blocks. On a sealed view the first simulated block is a child of that block. On the pending view it continues the
   * open block: with the same number, time, coinbase and base fee, on the state after its transactions.
   * @param options.pauses decides when the simulation pauses and when it must end; default: those of background work that no caller
   *   waits for
   * @throws DevnetError with the codes of the execution-apis specification; there are no partial results
   */
  simulate(
    view: BlockView,
    request: SimulationRequest,
    { pauses = turns }: { readonly pauses?: Pauses | undefined } = {},
  ): Awaitable<Simulated> {
    const base = this.#baseOf(view);
    const { parent, open } = base;
    const blocks = planBlocks(request.blockStateCalls, {
      number: parent.header.number,
      time: parent.header.timestamp,
      firstTime: open?.timestamp,
      increment: this.#options.timeIncrement(),
    });
    return andThen(this.#deps.engine.whenFree, () =>
      new SimulationRun(this.#options, this.#deps, request, view, base, pauses).simulate(blocks),
    );
  }

  #baseOf(view: BlockView): SimulationBase {
    if (view.sealed) return { parent: view };
    const { parentHash: hash } = view.header;
    const header = this.#deps.headerOf(hash);
    if (!header) throw new DevnetError('headerNotFound');
    return { parent: { header, hash }, open: view.header };
  }
}
