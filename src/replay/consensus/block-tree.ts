import { bytesToHex } from '@ethereumjs/util';
import type { TrieBlock } from '../../chain/block.ts';
import { expectSame, refuse } from '../../chain/block-fault.ts';
import { decodeBlock, type RawBlock } from '../../chain/block-rlp.ts';
import { canonicalDifficulty } from '../../chain/difficulty.ts';
import { NO_UNCLES, ZERO_NONCE } from '../../chain/header.ts';
import { importBlock } from '../../chain/import-block.ts';
import { UNCLE_GENERATIONS, validateUncles } from '../../chain/validate-uncles.ts';
import type { Engine } from '../../engine/engine.ts';
import type { TransactionDecoder } from '../../mempool/decode.ts';

interface Deps {
  readonly engine: Engine;
  readonly decoder: TransactionDecoder;
  /** Called with each added block, before the next one is added. @param hashOf returns the hashes of the blocks before it */
  readonly onBlock?:
    | ((
        block: TrieBlock,
        parent: TrieBlock,
        hashOf: (number: bigint) => Uint8Array | undefined,
      ) => Promise<void>)
    | undefined;
}

interface Entry {
  readonly block: TrieBlock;
  readonly parent: Entry | undefined;
  readonly totalDifficulty: bigint;
}

/**
 * All branches of a chain in memory, each block with its state. With proof of work the head is the end of the branch
 * with the highest total difficulty, the first seen among equals; with proof of stake it is the valid block added
 * last.
 */
export class BlockTree {
  readonly #entries = new Map<string, Entry>();
  readonly #deps: Deps;
  readonly #terminal: bigint | undefined;
  #head: Entry;

  /** @param options.terminalDifficulty total difficulty at which proof of stake begins; `undefined` for never */
  constructor(options: { genesis: TrieBlock; terminalDifficulty: bigint | undefined }, deps: Deps) {
    const { genesis } = options;
    this.#deps = deps;
    this.#terminal = options.terminalDifficulty;
    this.#head = { block: genesis, parent: undefined, totalDifficulty: genesis.header.difficulty };
    this.#entries.set(bytesToHex(genesis.hash), this.#head);
  }

  get head(): TrieBlock {
    return this.#head.block;
  }

  /**
   * Executes a block on any branch, validates it fully, and adds it.
   * @param encoded the block's RLP
   * @throws BadBlock naming the first rule that it breaks; the tree is unchanged then
   */
  async add(encoded: Uint8Array): Promise<void> {
    const { engine, decoder } = this.#deps;
    const raw = decodeBlock(encoded, engine.schedule, (bytes, { common }) => decoder.decode(bytes, common));
    const hash = bytesToHex(raw.hash);
    if (this.#entries.has(hash)) return;
    const parent = this.#entries.get(bytesToHex(raw.header.parentHash));
    if (!parent) return refuse('parentHash', 'a block that is known', raw.header.parentHash);
    this.#validateConsensus(raw, parent);
    const made = await importBlock(raw, parent.block, engine, (n) => hashOf(parent, n));
    const entry: Entry = {
      block: { ...made, sealed: true },
      parent,
      totalDifficulty: parent.totalDifficulty + raw.header.difficulty,
    };
    this.#entries.set(hash, entry);
    const isStake = raw.header.difficulty === 0n && this.#isMerged(parent);
    if (isStake || entry.totalDifficulty > this.#head.totalDifficulty) this.#head = entry;
    await this.#deps.onBlock?.(entry.block, parent.block, (n) => hashOf(parent, n));
  }

  #isMerged({ totalDifficulty }: Entry): boolean {
    return this.#terminal !== undefined && totalDifficulty >= this.#terminal;
  }

  /** Checks the rules of proof of work or of proof of stake (EIP-3675), depending on the parent's total difficulty. */
  #validateConsensus({ header, uncles, hardfork }: RawBlock, parent: Entry): void {
    if (this.#isMerged(parent)) {
      expectSame('difficulty', 0n, header.difficulty);
      expectSame('nonce', ZERO_NONCE, header.nonce);
      expectSame('unclesHash', NO_UNCLES, header.unclesHash);
      return;
    }
    expectSame('difficulty', canonicalDifficulty(header, parent.block.header, hardfork), header.difficulty);
    if (uncles.length === 0) return;
    const ancestors: TrieBlock[] = [];
    for (let at: Entry | undefined = parent; at && ancestors.length < UNCLE_GENERATIONS; at = at.parent)
      ancestors.push(at.block);
    validateUncles({ uncles }, ancestors, this.#deps.engine.schedule);
  }
}

/** Hash of an ancestor on the branch that ends with `from`. */
function hashOf(from: Entry, number: bigint): Uint8Array | undefined {
  let at: Entry | undefined = from;
  while (at && at.block.header.number > number) at = at.parent;
  return at?.block.hash;
}
