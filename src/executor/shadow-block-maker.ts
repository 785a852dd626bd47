import { type Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import type { AddOptions, BlockFinish, BlockMaker, BlockStart, MadeBlock } from '../evm/block-maker.ts';
import { writeEnd, writeStart } from '../evm/protocol-writes.ts';
import type { BlockEnv, Message, Outcome, Rules } from '../evm/types.ts';
import type { ChainState } from '../state/chain-state.ts';
import { Overlay } from '../state/overlay.ts';
import { TrieState } from '../state/trie-state.ts';
import type { Awaitable, StateView, StateWrites } from '../state/view.ts';
import { stateDifference, textOf } from './differences.ts';
import type { Reference } from './reference.ts';

export interface ShadowBlockMakerDeps {
  readonly maker: BlockMaker;
  readonly reference: Reference;
  readonly report: (difference: string) => void;
}

/** Makes blocks in a maker, and compares each step, what the protocol itself writes included, with what the reference writes. */
export class ShadowBlockMaker implements BlockMaker {
  readonly #base: StateView;
  readonly #deps: ShadowBlockMakerDeps;
  /** the state that the reference has reached */
  readonly #expected: Overlay;
  #env: BlockEnv | undefined;

  constructor(base: StateView, deps: ShadowBlockMakerDeps) {
    this.#base = base;
    this.#deps = deps;
    this.#expected = new Overlay(base);
  }

  get state(): StateView {
    return this.#deps.maker.state;
  }

  async open(start: BlockStart, goesOn = false): Promise<void> {
    const { maker, reference } = this.#deps;
    this.#env = start.env;
    if (!goesOn) await writeStart(start, this.#expected, reference.engine);
    await maker.open(start, goesOn);
    await this.#compareState('start');
  }

  async add(message: Message, raw: Uint8Array, rules: Rules, options: AddOptions): Promise<Outcome> {
    const { maker, reference } = this.#deps;
    const compare = await reference.execute(message, this.#env!, this.#expected, rules, options);
    const got = await maker.add(message, raw, rules, options);
    const difference = await compare(got, this.#reached());
    if (difference) this.#report(`message to ${message.to ?? 'nobody'}`, difference);
    return got;
  }

  nonceOf(address: Address): Awaitable<bigint> {
    return this.#deps.maker.nonceOf(address);
  }

  apply(writes: StateWrites): void {
    this.#deps.maker.apply(writes);
    this.#expected.apply(writes);
  }

  async seal(finish: BlockFinish): Promise<MadeBlock> {
    const { maker, reference } = this.#deps;
    const expected = new Overlay(this.#expected);
    // Where the reference fails too, the maker's error is the one to be told.
    const ending = async () => ({ requests: await writeEnd(finish, this.#env!, expected, reference.engine) });
    const wanted = await ending().catch((error: Error) => ({ error }));
    const made = await maker.seal(finish);
    if ('error' in wanted) this.#report('end', `error: ${wanted.error.message} and none`);
    else if (textOf(wanted.requests) !== textOf(made.requests))
      this.#report('end', `requests: ${textOf(wanted.requests)} and ${textOf(made.requests)}`);
    this.#expected.apply(expected.writes());
    await this.#compareState('end');
    return made;
  }

  writes(): StateWrites {
    return this.#deps.maker.writes();
  }

  async keep(): Promise<{ state: ChainState; writes: StateWrites }> {
    const kept = await this.#deps.maker.keep();
    const { state } = kept;
    if (state instanceof TrieState && !equalsBytes(state.root, state.rootOfTries))
      this.#report('state root', `${bytesToHex(state.rootOfTries)} and ${bytesToHex(state.root)}`);
    return kept;
  }

  discard(): void {
    this.#deps.maker.discard();
  }

  #reached(): Overlay {
    const state = new Overlay(this.#base);
    state.apply(this.#deps.maker.writes());
    return state;
  }

  async #compareState(place: string): Promise<void> {
    const difference = await stateDifference(this.#expected, this.#reached());
    if (difference) this.#report(place, difference);
  }

  #report(place: string, difference: string): void {
    this.#deps.report(`block ${this.#env!.number}, ${place}: ${difference}`);
  }
}
