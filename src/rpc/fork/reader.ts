import type { BlockView } from '../../chain/block.ts';
import type { BlockRef, ChainReader, OpenSnapshot, TransactionPosition } from '../../chain/refs.ts';
import { hex } from '../codec/hex.ts';
import type { ForkContext } from './context.ts';
import { sharesBlock, withoutEarliest } from './shared.ts';

/** Thrown by a reader if the requested data is on the chain from which this one was forked. */
export class OnRemoteChain extends Error {
  /** hash of the requested block, if it was requested by hash; both chains have the block */
  readonly hash: Uint8Array | undefined;

  constructor(hash?: Uint8Array) {
    super();
    this.hash = hash;
  }
}

/** Thrown by a reader if this chain doesn't have the transaction; it may be in a block before the fork. */
export class UnknownTransaction extends Error {
  /** `0x` hex */
  readonly hash: string;

  constructor(hash: string) {
    super();
    this.hash = hash;
  }
}

/**
 * A reader of a forked chain. It throws {@link OnRemoteChain} for blocks before the fork, and for the content of the fork block; the fork
 * block's state is here. Blocks that the other chain has after the fork don't exist for it.
 */
export class ForkReader implements ChainReader {
  readonly #missing: ReadonlySet<string>;
  readonly #chain: ChainReader;
  readonly #fork: ForkContext;

  /** @param options.missing hashes (`0x` hex) of transactions that neither this chain nor the other one before the fork has */
  constructor(
    options: { readonly missing?: ReadonlySet<string> },
    deps: { readonly chain: ChainReader; readonly fork: ForkContext },
  ) {
    this.#missing = options.missing ?? new Set();
    this.#chain = deps.chain;
    this.#fork = deps.fork;
  }

  get latest(): BlockView {
    return this.#shown(this.#chain.latest);
  }

  get genesis(): bigint {
    return this.#chain.genesis;
  }

  get first(): bigint {
    return this.#chain.first;
  }

  get states(): bigint {
    return this.#chain.states;
  }

  get logged(): ChainReader['logged'] {
    return this.#chain.logged;
  }

  snapshot(): ChainReader {
    return this.#on(this.#chain.snapshot());
  }

  openSnapshot(): OpenSnapshot {
    const chain = this.#chain.openSnapshot();
    return Object.assign(this.#on(chain), { capture: () => chain.capture() });
  }

  #on(chain: ChainReader): ForkReader {
    return new ForkReader({ missing: this.#missing }, { chain, fork: this.#fork });
  }

  resolve(ref: BlockRef): ReturnType<ChainReader['resolve']> {
    if ('tag' in ref && ref.tag === 'earliest')
      return withoutEarliest(this.#fork, ref).then((first) => this.resolve(first));
    if ('number' in ref && ref.number < this.genesis) throw new OnRemoteChain();
    const found = this.#chain.resolve(ref);
    if (found instanceof Promise) return found;
    if (!found && 'hash' in ref) return this.#beforeFork(ref.hash);
    return found && this.#shown(found);
  }

  async #beforeFork(hash: Uint8Array): Promise<undefined> {
    if (await sharesBlock(this.#fork, hash)) throw new OnRemoteChain(hash);
  }

  callView(ref: BlockRef): ReturnType<ChainReader['callView']> {
    return 'tag' in ref && ref.tag === 'pending' ? this.#chain.callView(ref) : this.resolve(ref);
  }

  findTransaction(hash: Uint8Array): TransactionPosition | undefined {
    const found = this.#chain.findTransaction(hash);
    if (!found && !this.#missing.has(hex(hash))) throw new UnknownTransaction(hex(hash));
    return found && { ...found, block: this.#shown(found.block) };
  }

  #shown(view: BlockView): BlockView {
    return view.header.number === this.genesis ? new SharedView(view) : view;
  }
}

/** The fork block: its header and state are on this chain, its content isn't. */
class SharedView implements BlockView {
  readonly header: BlockView['header'];
  readonly hash: Uint8Array;
  readonly state: BlockView['state'];
  readonly sealed = true;

  constructor({ header, hash, state }: BlockView) {
    this.header = header;
    this.hash = hash;
    this.state = state;
  }

  get transactions(): never {
    throw new OnRemoteChain();
  }

  get receipts(): never {
    throw new OnRemoteChain();
  }

  get uncles(): never {
    throw new OnRemoteChain();
  }

  get accessList(): never {
    throw new OnRemoteChain();
  }

  get size(): never {
    throw new OnRemoteChain();
  }
}
