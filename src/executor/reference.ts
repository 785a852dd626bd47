import { Engine, type EngineDeps, type ExecuteOptions } from '../evm/engine.ts';
import type { BlockEnv, Message, Outcome, Rules } from '../evm/types.ts';
import type { Overlay } from '../state/overlay.ts';
import { outcomeDifference, type Part, stateDifference } from './differences.ts';

/** Compares an outcome, and the state after it. @param only the fields that are compared; by default all */
export type Compare = (
  got: Outcome | Part,
  after: Overlay,
  only?: readonly string[],
) => Promise<string | undefined>;

/** How a run is repeated: only who compares hears of it. */
const SILENT = { console: false, onAccessList: undefined };

/** What the fast engine is compared with: EthereumJS. */
export class Reference {
  readonly engine: Engine;

  constructor({ onConsole: _, onTrace: __, ...deps }: EngineDeps) {
    this.engine = new Engine(deps);
  }

  /**
   * Executes a message on a state, which receives the writes.
   * @returns what compares an outcome, or some fields of it, and its state with that: the first difference, in words
   */
  async execute(
    message: Message,
    env: BlockEnv,
    state: Overlay,
    rules: Rules,
    options: ExecuteOptions,
  ): Promise<Compare> {
    const wanted = await this.engine.execute(message, env, state, rules, { ...options, ...SILENT });
    return async (got, after, only) => outcomeDifference(wanted, got, only) ?? stateDifference(state, after);
  }
}
