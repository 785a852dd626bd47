import { bytesToHex, equalsBytes } from '@ethereumjs/util';
import type { Hardfork, HardforkSchedule } from '../../protocol/hardfork.ts';
import type { SignatureOverrides } from '../../protocol/signature-overrides.ts';
import type { BlockEnv, Outcome } from '../../protocol/types.ts';
import type { ChainState } from '../../state/chain-state.ts';
import { Overlay } from '../../state/overlay.ts';
import { TrieState } from '../../state/trie-state.ts';
import type { Awaitable, StateView } from '../../state/view.ts';
import type { Engine, Precompiles } from '../engine.ts';
import type { Estimate } from '../estimate.ts';
import type { EthereumjsEngine } from '../ethereumjs/ethereumjs-engine.ts';
import type { RunListener } from '../run-listener.ts';
import type { SimulationWriter, WriteOptions } from '../simulation-writer.ts';
import type { FastEngine } from '../wasm/fast-engine.ts';
import type { Opening, Workspace, WorkspaceOptions } from '../workspace.ts';
import { ComparedTrace } from './compared-trace.ts';
import { estimateDifference, outcomeDifference, stateDifference } from './differences.ts';
import { ShadowSimulationWriter } from './shadow-simulation-writer.ts';
import { ShadowWorkspace } from './shadow-workspace.ts';

export interface ShadowEngineDeps {
  /** the engine whose results are returned */
  readonly fast: FastEngine;
  /** has the same schedule and signatures; its runs aren't reported to other listeners */
  readonly reference: EthereumjsEngine;
  /** receives the first difference; the node can't be trusted from then on */
  readonly onDifference: (error: Error) => void;
}

/**
 * Executes each message twice, by the fast engine in WebAssembly and by EthereumJS, and compares the results: status, gas, output, logs,
 * all state that either engine wrote, the calls and steps reported to tracers, and the state root of each block.
 */
export class ShadowEngine implements Engine {
  readonly #fast: FastEngine;
  readonly #reference: EthereumjsEngine;
  readonly #onDifference: (error: Error) => void;

  constructor({ fast, reference, onDifference }: ShadowEngineDeps) {
    this.#fast = fast;
    this.#reference = reference;
    this.#onDifference = onDifference;
  }

  get schedule(): HardforkSchedule {
    return this.#fast.schedule;
  }

  get signatures(): SignatureOverrides {
    return this.#fast.signatures;
  }

  hardforkOf(block: Parameters<Engine['hardforkOf']>[0]): Hardfork {
    return this.#fast.hardforkOf(block);
  }

  precompiles(env: BlockEnv): Precompiles {
    return this.#fast.precompiles(env);
  }

  stateAtStart(opening: Opening): Awaitable<StateView> {
    return this.#fast.stateAtStart(opening);
  }

  get whenFree(): Promise<void> | undefined {
    return this.#fast.whenFree;
  }

  returnTo(state: ChainState): void {
    this.#fast.returnTo(state);
  }

  computeRoot(state: ChainState): void {
    this.#fast.computeRoot(state);
    if (state instanceof TrieState && !equalsBytes(state.root, state.rootOfTries))
      this.#report(
        `the state root after a dev write: ${bytesToHex(state.rootOfTries)} and ${bytesToHex(state.root)}`,
      );
  }

  prepare(): void {
    this.#fast.prepare();
  }

  dropCaches(): void {
    this.#fast.dropCaches();
  }

  close(): void {
    this.#fast.close();
  }

  async execute(...run: Parameters<Engine['execute']>): Promise<Outcome> {
    const [message, env, state, rules, options = {}] = run;
    const expected = new Overlay(state);
    const actual = new Overlay(state);
    const listener = options.tracer?.listener;
    const trace = listener && new ComparedTrace(listener);
    const heard = (by: RunListener | undefined) => ({ tracer: by && { listener: by } });
    const both = { ...options, discards: false };
    // The fast engine runs first, and its result is returned: if a limit aborts that run, there is nothing to compare.
    const got = await this.#fast.execute(message, env, actual, rules, { ...both, ...heard(trace?.first) });
    const wanted = await this.#reference.execute(message, env, expected, rules, {
      ...both,
      onAccessList: undefined,
      ...heard(trace?.second),
    });
    const hasAccessLists = this.hardforkOf(env).has(7928);
    const difference =
      outcomeDifference(wanted, got, { hasAccessLists }) ??
      (await stateDifference(expected, actual)) ??
      trace?.difference;
    if (difference) this.#report(`block ${env.number}, message to ${message.to ?? 'nobody'}: ${difference}`);
    if (!options.discards) (state as Overlay).apply(actual.writes());
    return got;
  }

  async estimate(...search: Parameters<Engine['estimate']>): Promise<Estimate> {
    const [message, most, env, state, rules, options = {}] = search;
    const wanted = await this.#reference.estimate(message, most, env, state, rules, options);
    const got = await this.#fast.estimate(...search);
    const difference = estimateDifference(wanted, got, { hasAccessLists: this.hardforkOf(env).has(7928) });
    if (difference)
      this.#report(
        `the estimate of block ${env.number}, message to ${message.to ?? 'nobody'}: ${difference}`,
      );
    return got;
  }

  simulationWriter(state: StateView, options: WriteOptions): SimulationWriter {
    const { background } = options;
    return new ShadowSimulationWriter(state, options, {
      own: this.#fast.simulationWriter(state, options),
      reference: this.#reference.workspace(state, { background, withStateRoot: false }),
      report: (difference) => this.#report(difference),
    });
  }

  workspace(state: StateView, options: WorkspaceOptions): Workspace {
    return new ShadowWorkspace(state, {
      own: this.#fast.workspace(state, options),
      reference: this.#reference.workspace(state, { ...options, withStateRoot: false }),
      report: (difference) => this.#report(difference),
    });
  }

  #report(difference: string): void {
    this.#onDifference(new Error(`EthereumJS and the fast engine differ in ${difference}`));
  }
}
