import type { BlockMaker, BlockMakerOptions } from '../evm/block-maker.ts';
import type { BlockWriter, WriteOptions } from '../evm/block-writer.ts';
import { Engine, type EngineDeps } from '../evm/engine.ts';
import type { Estimate } from '../evm/estimate.ts';
import type { RunListener } from '../evm/run-listener.ts';
import type { Outcome } from '../evm/types.ts';
import { Overlay } from '../state/overlay.ts';
import type { StateView } from '../state/view.ts';
import { ComparedTrace } from './compared-trace.ts';
import { estimateDifference, outcomeDifference, stateDifference } from './differences.ts';
import { FastEngine } from './fast-engine.ts';
import { ShadowBlockMaker } from './shadow-block-maker.ts';
import { ShadowBlockWriter } from './shadow-block-writer.ts';

export interface ShadowEngineDeps extends EngineDeps {
  /** receives the first difference; the node can't be trusted from then on */
  readonly onDifference: (error: Error) => void;
}

/**
 * Executes each message twice, in WebAssembly and by EthereumJS, and compares what came of it: status, gas, output, logs, all state
 * that either of them wrote, the calls and steps of which a tracer is told, and the root of each block's state.
 */
export class ShadowEngine extends FastEngine {
  /** EthereumJS, of whose runs nobody else hears */
  readonly #reference: Engine;
  readonly #onDifference: (error: Error) => void;

  constructor(deps: ShadowEngineDeps) {
    super(deps);
    const { schedule, crypto, onDifference } = deps;
    this.#reference = new Engine({ schedule, crypto, signatures: this.signatures });
    this.#onDifference = onDifference;
  }

  override async execute(...run: Parameters<Engine['execute']>): Promise<Outcome> {
    const [message, env, state, rules, options = {}] = run;
    const expected = new Overlay(state);
    const actual = new Overlay(state);
    const listener = options.tracer?.listener;
    const trace = listener && new ComparedTrace(listener);
    const heard = (by: RunListener | undefined) => ({ tracer: by && { listener: by } });
    const both = { ...options, discards: false };
    // First the run that is passed on: where a limit ends it, there is nothing to compare.
    const got = await super.execute(message, env, actual, rules, { ...both, ...heard(trace?.first) });
    const wanted = await this.#reference.execute(message, env, expected, rules, {
      ...both,
      onAccessList: undefined,
      ...heard(trace?.second),
    });
    const difference =
      outcomeDifference(wanted, got) ?? (await stateDifference(expected, actual)) ?? trace?.difference;
    if (difference) this.#report(`block ${env.number}, message to ${message.to ?? 'nobody'}: ${difference}`);
    if (!options.discards) (state as Overlay).apply(actual.writes());
    return got;
  }

  override async estimate(...search: Parameters<Engine['estimate']>): Promise<Estimate> {
    const [message, most, env, state, rules, options = {}] = search;
    const wanted = await this.#reference.estimate(message, most, env, state, rules, options);
    const got = await super.estimate(...search);
    const difference = estimateDifference(wanted, got);
    if (difference)
      this.#report(
        `the estimate of block ${env.number}, message to ${message.to ?? 'nobody'}: ${difference}`,
      );
    return got;
  }

  override blockWriter(state: StateView, options: WriteOptions): BlockWriter | undefined {
    const writer = this.coreBlockWriter(state, options);
    if (!writer) return undefined;
    const { background } = options;
    return new ShadowBlockWriter(state, options, {
      writer,
      reference: this.#reference.blockMaker(state, { background, withStateRoot: false }),
      report: (difference) => this.#report(difference),
    });
  }

  override blockMaker(state: StateView, options: BlockMakerOptions): BlockMaker {
    return new ShadowBlockMaker(state, {
      maker: super.blockMaker(state, options),
      reference: this.#reference.blockMaker(state, { ...options, withStateRoot: false }),
      report: (difference) => this.#report(difference),
    });
  }

  #report(difference: string): void {
    this.#onDifference(new Error(`EthereumJS and the fast engine differ in ${difference}`));
  }
}
