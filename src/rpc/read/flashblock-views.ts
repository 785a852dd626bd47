import { equalsBytes } from '@ethereumjs/util';
import { type BlockView, type TrieBlock, withState } from '../../chain/block.ts';
import { planOf } from '../../chain/import-block.ts';
import type { ChainReader } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import type { Flashblock } from '../../sequencer/feed/feed.ts';
import type { Assembler } from '../../sequencer/mining/assembler.ts';
import type { Awaitable } from '../../state/view.ts';
import { turns } from '../../turns.ts';
import type { FlashblockMemory, KeptFlashblock } from './flashblock-memory.ts';

/** The highest number of rebuilt blocks in the cache: clients often send several requests for the same one. */
const MAX_KEPT = 8;

interface FlashblockViewsDeps {
  readonly memory: Pick<FlashblockMemory, 'kept' | 'find'>;
  readonly chain: ChainReader;
  readonly assembler: Pick<Assembler, 'makeOf'>;
  /** the open block's published flashblocks, by index */
  readonly published: () => readonly Flashblock[];
}

/**
 * Blocks as they were when a flashblock was published, with their state. Those of the open block are still in memory. Those of a sealed
 * block are rebuilt from the block's first transactions and its parent, and must have the hash that was published.
 */
export class FlashblockViews {
  readonly #deps: FlashblockViewsDeps;
  /** by the first flashblock that had these transactions; the newest last */
  readonly #made = new Map<string, Promise<BlockView>>();

  constructor(deps: FlashblockViewsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the block with this number as `pending` showed it after its flashblock `index`.
   * @throws DevnetError `flashblockNotFound`, `flashblockChanged`
   */
  at(number: bigint, index: bigint): Awaitable<BlockView> {
    const { memory, published } = this.#deps;
    const open = published();
    if (open[0]?.block.header.number === number) {
      const shown = open[Number(index)];
      if (shown) return shown.block;
      throw notFound(number, index, `block ${number} has flashblocks 0 to ${open.length - 1} so far`);
    }
    const kept = memory.find(number, index);
    if (!kept) throw notFound(number, index, this.#expected(number));
    const key = `${kept.payload} ${kept.block} ${kept.transactions}`;
    const known = this.#made.get(key);
    if (known) return known;
    const made = this.#make(kept);
    this.#made.set(key, made);
    for (const oldest of this.#made.keys()) {
      if (this.#made.size <= MAX_KEPT) break;
      this.#made.delete(oldest);
    }
    made.catch(() => this.#made.delete(key));
    return made;
  }

  async #make({ block: number, index, transactions, hash }: KeptFlashblock): Promise<BlockView> {
    const { chain, assembler } = this.#deps;
    const [sealed, parent] = [await chain.resolve({ number }), await chain.resolve({ number: number - 1n })];
    if (!sealed || !parent) throw new DevnetError('headerNotFound');
    if (equalsBytes(sealed.hash, hash)) return { ...withState(sealed, sealed.state), sealed: false };
    const { baseFeePerGas } = sealed.header;
    const plan = { ...planOf(sealed), ...(baseFeePerGas !== undefined && { baseFeePerGas }) };
    const first = sealed.transactions.slice(0, transactions);
    // A deposit of L1 attributes is already among the transactions.
    const options = { withL1Attributes: false, strict: false, pauses: turns };
    const changed = () => new DevnetError('flashblockChanged', { block: number, index });
    const block = await assembler.makeOf(first, parent as TrieBlock, plan, options).catch((error) => {
      throw error instanceof DevnetError && error.kind === 'server' ? changed() : error;
    });
    if (!equalsBytes(block.hash, hash)) throw changed();
    return block;
  }

  /** Describes which flashblocks are available, for the error message. */
  #expected(number: bigint): string {
    const { kept } = this.#deps.memory;
    const [oldest, newest] = [kept[0], kept.at(-1)];
    if (!oldest || !newest) return 'this chain has published none that are kept';
    const indexes = kept.filter(({ block }) => block === number).map(({ index }) => index);
    if (indexes.length > 0)
      return `of block ${number} flashblocks ${Math.min(...indexes)} to ${Math.max(...indexes)} are kept`;
    return `those from flashblock ${oldest.index} of block ${oldest.block} to flashblock ${newest.index} of block ${newest.block} are kept`;
  }
}

function notFound(block: bigint, index: bigint, expected: string): DevnetError {
  return new DevnetError('flashblockNotFound', { block, index, expected });
}
