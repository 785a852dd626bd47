import { latin1Key } from '../../state/hex-key.ts';
import { Generations } from '../../state/node-cache.ts';
import type { Block } from '../block.ts';

/** Maximum number of transactions in the cached blocks: decoded transactions take most of the memory, about 10 KB each. */
const MAX_TRANSACTIONS = 4_096;

const MAX_BLOCKS = 256;

const weigh = ({ transactions }: Block) => Math.max(transactions.length, MAX_TRANSACTIONS / MAX_BLOCKS);

/** A cache of the most recently used decoded blocks, limited by the number of blocks and of their transactions. */
export class BlockCache {
  readonly #byHash = new Generations<string, Block>(MAX_TRANSACTIONS, weigh);
  /** blocks of the chain only */
  readonly #byNumber = new Generations<bigint, Block>(MAX_TRANSACTIONS, weigh);

  get(hash: Uint8Array): Block | undefined {
    return this.#byHash.get(latin1Key(hash));
  }

  /** The block of the chain with this number. */
  at(number: bigint): Block | undefined {
    return this.#byNumber.get(number);
  }

  /** Adds a block, whether it is in the chain or not. */
  add(block: Block): void {
    this.#byHash.add(latin1Key(block.hash), block);
  }

  /** Adds a block that is in the chain. */
  addCanonical(block: Block): void {
    this.#byNumber.add(block.header.number, block);
  }

  /** Must be called when the blocks above a number were removed from the chain. @param number -1 for all blocks */
  forgetAbove(number: bigint): void {
    this.#byNumber.deleteWhere((at) => at > number);
  }
}
