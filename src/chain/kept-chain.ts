import type { Block, TrieBlock } from './block.ts';
import { type BlocksAbove, gone } from './blocks-above.ts';
import type { BlockStore } from './store/block-store.ts';

/** The chain as it stands at a moment, to be written down: what happens to it later isn't seen here. */
export interface KeptChain {
  readonly head: TrieBlock;
  /** Number of the first block that is there. */
  readonly first: bigint;
  /** Number of the first block from which on all states are there; that of `first` is in any case. */
  readonly states: bigint;
  /** of the state that a chain which begins with `first` goes back to with a reset */
  readonly beginning: Uint8Array;
  /** All of them, the oldest first. @throws DevnetError when one was pruned since */
  blocks(): Iterable<Block>;
  /** Root of the state that the block's view reads. Errors as {@link KeptChain.blocks}. */
  rootOf(number: bigint): Uint8Array;
  getNode(hash: Uint8Array): Uint8Array | undefined;
  getCode(hash: Uint8Array): Uint8Array | undefined;
  /** The address or slot that a hash stands for in the state tries. */
  preimageOf(hash: Uint8Array): Uint8Array | undefined;
}

/** @param blocks from `first` to the head */
export function keptChain(
  head: TrieBlock,
  { first, blocks }: { first: bigint; blocks: BlocksAbove },
  store: BlockStore,
): KeptChain {
  const rootOf = (number: bigint) => {
    const root = store.stored.rootOf(blocks.hashOf(number));
    if (!root) throw gone(number);
    return root;
  };
  return {
    head,
    first,
    states: store.states > first ? store.states : first,
    beginning: first === store.genesis ? store.genesisRoot : rootOf(first),
    blocks: () => blocks.oldestFirst(),
    rootOf,
    getNode: (hash) => store.getNode(hash),
    getCode: (hash) => store.getCode(hash),
    preimageOf: (hash) => store.getPreimage(hash),
  };
}
