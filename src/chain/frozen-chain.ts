import type { Block, TrieBlock } from './block.ts';
import { type BlocksAbove, prunedMeanwhile } from './blocks-above.ts';
import type { BlockStore } from './store/block-store.ts';

/** The chain at one moment, for export. Later changes don't affect it. */
export interface FrozenChain {
  readonly head: TrieBlock;
  /** Number of the first block. */
  readonly first: bigint;
  /** Number of the first block from which on all states are available. The state of `first` is always available. */
  readonly states: bigint;
  /** root of the state to which a reset returns, for a chain that begins with `first` */
  readonly beginning: Uint8Array;
  /** All blocks, oldest first. @throws DevnetError if one was pruned in the meantime */
  blocks(): Iterable<Block>;
  /** Root of the state that the block's view reads. @throws like {@link FrozenChain.blocks} */
  rootOf(number: bigint): Uint8Array;
  getNode(hash: Uint8Array): Uint8Array | undefined;
  getCode(hash: Uint8Array): Uint8Array | undefined;
  /** The address or slot whose keccak256 is a key of the state tries. */
  preimageOf(hash: Uint8Array): Uint8Array | undefined;
}

/** @param blocks from `first` to the head */
export function frozenChain(
  head: TrieBlock,
  { first, blocks }: { first: bigint; blocks: BlocksAbove },
  store: BlockStore,
): FrozenChain {
  const rootOf = (number: bigint) => {
    const root = store.stored.rootOf(blocks.hashOf(number));
    if (!root) throw prunedMeanwhile(number);
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
