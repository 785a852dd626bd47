import type { BlockView } from '../../chain/block.ts';
import type { BlockRef, ChainReader, OpenSnapshot, Position } from '../../chain/refs.ts';

/** What a forked chain's methods need of the chain that it left. */
export interface ForkContext {
  /** of the block that both have: the last one there, the first one here */
  readonly number: bigint;
  /** 32 bytes; of that block */
  readonly hash: Uint8Array;
  /** of the other chain */
  readonly chainId: bigint;
  /** without a user's name and password */
  readonly url: string;
  /** milliseconds */
  readonly backoff: number;
  /** Asks the other node. @throws DevnetError as it answered, `remoteFailed` when it didn't */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** Where a chain is to be forked anew; what is left out stays, or is the newest block. */
export interface Refork {
  readonly url?: string | undefined;
  readonly blockNumber?: bigint | undefined;
}

/** Thrown by a reader: what is asked for is not here, and may be where the chain came from. */
export class Elsewhere extends Error {}

/**
 * A forked chain's reader: what the other chain has is never missing. Blocks before the fork, hashes that aren't known
 * here and what the fork block holds throw {@link Elsewhere}; the state of the fork block is this chain's.
 */
export class ForkReader implements ChainReader {
  readonly #chain: ChainReader;

  constructor(deps: { chain: ChainReader }) {
    this.#chain = deps.chain;
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
    return new ForkReader({ chain: this.#chain.snapshot() });
  }

  openSnapshot(): OpenSnapshot {
    const chain = this.#chain.openSnapshot();
    return Object.assign(new ForkReader({ chain }), { capture: () => chain.capture() });
  }

  resolve(ref: BlockRef): ReturnType<ChainReader['resolve']> {
    const isBefore =
      ('number' in ref && ref.number < this.genesis) || ('tag' in ref && ref.tag === 'earliest');
    if (isBefore) throw new Elsewhere();
    const found = this.#chain.resolve(ref);
    if (found instanceof Promise) return found;
    if (!found && 'hash' in ref) throw new Elsewhere();
    return found && this.#shown(found);
  }

  callView(ref: BlockRef): ReturnType<ChainReader['callView']> {
    return 'tag' in ref && ref.tag === 'pending' ? this.#chain.callView(ref) : this.resolve(ref);
  }

  get opening(): ChainReader['opening'] {
    return this.#chain.opening;
  }

  findTransaction(hash: Uint8Array): Position {
    const found = this.#chain.findTransaction(hash);
    if (!found) throw new Elsewhere();
    return found;
  }

  #shown(view: BlockView): BlockView {
    return view.header.number === this.genesis ? new ForkBlock(view) : view;
  }
}

/** The block that both chains have: its header and its state are here, what it holds isn't. */
class ForkBlock implements BlockView {
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
    throw new Elsewhere();
  }

  get receipts(): never {
    throw new Elsewhere();
  }

  get uncles(): never {
    throw new Elsewhere();
  }

  get size(): never {
    throw new Elsewhere();
  }
}
