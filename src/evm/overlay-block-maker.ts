import type { Address } from '@ethereumjs/util';
import { ZERO_HASH } from '../state/account.ts';
import type { ChainState } from '../state/chain-state.ts';
import { Overlay } from '../state/overlay.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../state/view.ts';
import {
  type AddOptions,
  type BlockFinish,
  type BlockMaker,
  type BlockMakerOptions,
  type BlockSoFar,
  type BlockStart,
  type MadeBlock,
  openEach,
} from './block-maker.ts';
import type { Engine } from './engine.ts';
import { type Executable, messageOf } from './message.ts';
import { messagesRoot } from './messages-root.ts';
import { writeEnd, writeStart } from './protocol-writes.ts';
import type { BlockEnv, Message, Outcome, Rules } from './types.ts';

/** Makes blocks on an overlay, one message of an engine after the other: blocks of every hardfork, on any state. */
export class OverlayBlockMaker implements BlockMaker {
  readonly #options: BlockMakerOptions;
  readonly #engine: Engine;
  /** what was written up to {@link #sealed} */
  readonly #earlier: Overlay;
  /** the state of the newest sealed block, where state roots are computed; else the one that the blocks are made on */
  #sealed: StateView;
  /** the state so far */
  #state: Overlay;
  #env: BlockEnv | undefined;

  /** @param state what the blocks are made on; a {@link ChainState} for state roots */
  constructor(state: StateView, options: BlockMakerOptions, engine: Engine) {
    this.#options = options;
    this.#engine = engine;
    this.#sealed = state;
    this.#earlier = new Overlay(state);
    this.#state = new Overlay(state);
  }

  readonly decodes = false;

  get state(): StateView {
    return this.#state;
  }

  open(start: BlockStart, before?: BlockSoFar): Awaitable<void> {
    this.#env = start.env;
    if (this.#engine.hardforkOf(start.env).has(7928))
      throw new Error('only the engine `fast` makes blocks of Amsterdam, and it could not make this one');
    return before ? undefined : writeStart(start, this.#state, this.#engine);
  }

  openEach(starts: Iterable<BlockStart>): Promise<void> {
    return openEach(this, starts);
  }

  add(message: Message, _raw: Uint8Array, rules: Rules, options: AddOptions): Awaitable<Outcome> {
    const env = this.#env!;
    const { background, withStateRoot } = this.#options;
    const running = this.#engine.execute(message, env, this.#state, rules, { ...options, background });
    if (!withStateRoot || this.#engine.hardforkOf(env).atLeast('byzantium')) return running;
    return andThen(running, (outcome) =>
      outcome.kind === 'executed' ? { ...outcome, stateRoot: this.#folded().root } : outcome,
    );
  }

  addSigned(transaction: Executable, rules: Rules, options: { console: boolean }): Awaitable<Outcome> {
    return this.add(messageOf(transaction), transaction.raw, rules, options);
  }

  nonceOf(address: Address): Awaitable<bigint> {
    return andThen(this.#state.getAccount(address), (account) => account?.nonce ?? 0n);
  }

  apply(writes: StateWrites): void {
    this.#state.apply(writes);
  }

  seal(finish: BlockFinish): Awaitable<MadeBlock> {
    const env = this.#env!;
    const paysMessages = this.#engine.hardforkOf(env).rollup === 'jovian';
    return andThen(writeEnd(finish, env, this.#state, this.#engine), (requests) => {
      const stateRoot = this.#options.withStateRoot ? this.#fold().root : ZERO_HASH;
      if (!paysMessages) return { stateRoot, requests };
      const messages = this.#options.withStateRoot ? messagesRoot(this.#sealed) : ZERO_HASH;
      return andThen(messages, (withdrawalsRoot) => ({ stateRoot, requests, withdrawalsRoot }));
    });
  }

  writes(): StateWrites {
    this.#earlier.apply(this.#state.writes());
    return this.#earlier.writes();
  }

  keep(): Awaitable<{ state: ChainState; writes: StateWrites }> {
    const state = this.#fold();
    return { state, writes: this.#earlier.writes() };
  }

  discard(): void {}

  /** The state so far, with its root. */
  #folded(): ChainState {
    return (this.#sealed as ChainState).fold(this.#state.writes());
  }

  /** Goes on from the state so far. */
  #fold(): ChainState {
    const sealed = this.#folded();
    this.#earlier.apply(this.#state.writes());
    this.#sealed = sealed;
    this.#state = new Overlay(sealed);
    return sealed;
  }
}
