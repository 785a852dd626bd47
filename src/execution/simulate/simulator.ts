import type { BlockView } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import type { Pauses } from '../../turns.ts';
import { planBlocks, type SimulationRequest } from './plan.ts';
import {
  type SimulatedBlock,
  type SimulationBase,
  SimulationRun,
  type SimulatorDeps,
  type SimulatorOptions,
} from './run.ts';

/** `eth_simulateV1`: executes blocks on top of any view. Their state is discarded at the end. */
export class Simulator {
  readonly #options: SimulatorOptions;
  readonly #deps: SimulatorDeps;

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
    const base = this.#baseOf(view);
    const blocks = planBlocks(request.blockStateCalls, {
      number: base.parent.header.number,
      time: base.parent.header.timestamp,
      ...(base.open && { firstTime: base.open.timestamp }),
      increment: this.#options.timeIncrement(),
    });
    const run = new SimulationRun(this.#options, this.#deps, request, view, base);
    const results: SimulatedBlock[] = [];
    try {
      for (const block of blocks) results.push(await run.block(block));
      return results;
    } finally {
      run.close();
    }
  }

  #baseOf(view: BlockView): SimulationBase {
    if (view.sealed) return { parent: view };
    const { parentHash: hash } = view.header;
    const header = this.#deps.headerOf(hash);
    if (!header) throw new DevnetError('headerNotFound');
    return { parent: { header, hash }, open: view.header };
  }
}
