import { Engine, type EngineDeps, type ExecuteOptions } from '../evm/engine.ts';
import { StockVm } from '../evm/stock-vm.ts';
import type { BlockEnv, Message, Outcome, Rules } from '../evm/types.ts';
import type { Overlay } from '../state/overlay.ts';
import { outcomeDifference, type Part, stateDifference, stockDifference } from './differences.ts';

/** Compares an outcome, and the state after it. @param only the fields that are compared; by default all */
export type Compare = (
  got: Outcome | Part,
  after: Overlay,
  only?: readonly string[],
) => Promise<string | undefined>;

/** How a run is repeated: only who compares hears of it. */
const SILENT = { console: false, onAccessList: undefined };

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
   * Executes a message on a state, which receives the writes. Where a tracer listens to that, by this project's engine on EthereumJS's EVM.
   * @returns what compares an outcome, or some fields of it, and its state with that: the first difference, in words
   */
  async execute(
    message: Message,
    env: BlockEnv,
    state: Overlay,
    rules: Rules,
    options: ExecuteOptions,
  ): Promise<Compare> {
    const isStock =
      this.#stock.executes(message, env, rules) &&
      this.engine.signatures.isEmpty &&
      !options.tracer &&
      !options.precompiles &&
      !options.numberLogs;
    let differenceOf: (got: Outcome | Part, only?: readonly string[]) => string | undefined;
    if (isStock) {
      const wanted = await this.#stock.execute(message, env, state);
      differenceOf = (got, only) => stockDifference(wanted, got, only);
    } else {
      const wanted = await this.engine.execute(message, env, state, rules, { ...options, ...SILENT });
      differenceOf = (got, only) => outcomeDifference(wanted, got, only);
    }
    return async (got, after, only) => differenceOf(got, only) ?? stateDifference(state, after);
  }
}
