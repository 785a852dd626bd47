import { Engine, type EngineDeps, type ExecuteOptions } from '../evm/engine.ts';
import { StockVm } from '../evm/stock-vm.ts';
import type { BlockEnv, Message, Outcome, Rules } from '../evm/types.ts';
import type { Overlay } from '../state/overlay.ts';
import { outcomeDifference, stateDifference, stockDifference } from './differences.ts';

/** How a run is repeated: nobody hears of it. */
const SILENT = { console: false, tracer: undefined, onAccessList: undefined };

/**
 * What the fast engine is compared with. Transactions are executed by stock EthereumJS, from the checks to the fees. What that doesn't
 * know - calls, which break some rules of transactions, and the OP Stack - by this project's engine on EthereumJS's EVM.
 */
export class Reference {
  readonly engine: Engine;
  readonly #stock: StockVm;

  constructor({ onConsole: _, onTrace: __, ...deps }: EngineDeps) {
    this.engine = new Engine(deps);
    this.#stock = new StockVm(deps);
  }

  /**
   * Executes a message on a state, which receives the writes.
   * @returns what compares an outcome and its state with that: the first difference, in words
   */
  async execute(
    message: Message,
    env: BlockEnv,
    state: Overlay,
    rules: Rules,
    options: ExecuteOptions,
  ): Promise<(got: Outcome, after: Overlay) => Promise<string | undefined>> {
    const isStock =
      this.#stock.executes(message, env, rules) &&
      this.engine.signatures.isEmpty &&
      !options.precompiles &&
      !options.numberLogs;
    let differenceOf: (got: Outcome) => string | undefined;
    if (isStock) {
      const wanted = await this.#stock.execute(message, env, state);
      differenceOf = (got) => stockDifference(wanted, got);
    } else {
      const wanted = await this.engine.execute(message, env, state, rules, { ...options, ...SILENT });
      differenceOf = (got) => outcomeDifference(wanted, got);
    }
    return async (got, after) => differenceOf(got) ?? stateDifference(state, after);
  }
}
