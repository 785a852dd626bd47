import { type Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import type { BlockFinish, BlockMaker, BlockStart, MadeBlock } from '../evm/block-maker.ts';
import type { BlockEnv, Outcome } from '../evm/types.ts';
import type { ChainState } from '../state/chain-state.ts';
import { Overlay } from '../state/overlay.ts';
import { TrieState } from '../state/trie-state.ts';
import type { AccountState, Awaitable, StateView, StateWrites } from '../state/view.ts';
import type { Reference } from './reference.ts';

export interface ShadowBlockMakerDeps {
  readonly maker: BlockMaker;
  readonly reference: Reference;
  readonly report: (difference: string) => void;
}

/**
 * Makes blocks in a maker, and has each of their transactions executed by the reference too. What the protocol
 * itself writes at the start and the end of a block is taken over; the state root shows whether it was right.
 */
export class ShadowBlockMaker implements BlockMaker {
  readonly #base: StateView;
  readonly #deps: ShadowBlockMakerDeps;
  #expected: Overlay;
  #env: BlockEnv | undefined;

  constructor(base: StateView, deps: ShadowBlockMakerDeps) {
    this.#base = base;
    this.#deps = deps;
    this.#expected = this.#reached();
  }

  get isLost(): boolean {
    return this.#deps.maker.isLost;
  }

  async open(start: BlockStart, goesOn?: boolean): Promise<boolean> {
    this.#env = start.env;
    const isOpen = await this.#deps.maker.open(start, goesOn);
    this.#expected = this.#reached();
    return isOpen;
  }

  async add(...run: Parameters<BlockMaker['add']>): Promise<Outcome | undefined> {
    const [message, , rules, options] = run;
    const { maker, reference, report } = this.#deps;
    const env = this.#env!;
    const compare = await reference.execute(message, env, this.#expected, rules, options);
    const got = await maker.add(...run);
    if (!got) return undefined;
    const difference = await compare(got, this.#reached());
    if (difference) report(`block ${env.number}, message to ${message.to ?? 'nobody'}: ${difference}`);
    return got;
  }

  nonceOf(address: Address): Awaitable<bigint> {
    return this.#deps.maker.nonceOf(address);
  }

  getAccount(address: Address): Awaitable<AccountState | undefined> {
    return this.#deps.maker.getAccount(address);
  }

  getCode(address: Address): Awaitable<Uint8Array> {
    return this.#deps.maker.getCode(address);
  }

  getStorage(address: Address, slot: Uint8Array): Awaitable<Uint8Array> {
    return this.#deps.maker.getStorage(address, slot);
  }

  apply(writes: StateWrites): void {
    this.#deps.maker.apply(writes);
    this.#expected.apply(writes);
  }

  async seal(finish: BlockFinish): Promise<MadeBlock | undefined> {
    const made = await this.#deps.maker.seal(finish);
    this.#expected = this.#reached();
    return made;
  }

  writes(): StateWrites {
    return this.#deps.maker.writes();
  }

  async keep(): Promise<{ state: ChainState; writes: StateWrites }> {
    const kept = await this.#deps.maker.keep();
    const { state } = kept;
    if (state instanceof TrieState && !equalsBytes(state.root, state.rootOfTries))
      this.#deps.report(`state root: ${bytesToHex(state.rootOfTries)} and ${bytesToHex(state.root)}`);
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
}
