import type { BlockView } from '../../chain/block.ts';
import type { Clock } from '../../clock.ts';
import type { Feed, Flashblock } from '../../sequencer/feed/feed.ts';
import { payloadId } from '../../sequencer/feed/message.ts';
import { hex, quantity } from '../codec/hex.ts';

/** A published flashblock. Only a few fields are kept, however many transactions it has. */
export interface KeptFlashblock {
  readonly payload: bigint;
  readonly parentHash: Uint8Array;
  /** number of its block */
  readonly block: bigint;
  /** hash of the block up to this flashblock, 32 bytes */
  readonly hash: Uint8Array;
  readonly index: number;
  /** number of transactions in the block up to this flashblock */
  readonly transactions: number;
  readonly gasUsed: bigint;
  /** when it was published, milliseconds since the Unix epoch on the machine's clock */
  readonly at: number;
  /** when its block was sealed; `undefined` until then */
  sealedAt?: number;
}

interface FlashblockMemoryDeps {
  readonly feed: Feed;
  /** the machine's */
  readonly clock: Pick<Clock, 'now'>;
}

/** Remembers the newest flashblocks, and when they were published. */
export class FlashblockMemory {
  readonly #most: number;
  readonly #clock: FlashblockMemoryDeps['clock'];
  readonly #kept: KeptFlashblock[] = [];

  /** @param options.most how many flashblocks are remembered */
  constructor(options: { readonly most: number }, { feed, clock }: FlashblockMemoryDeps) {
    this.#most = options.most;
    this.#clock = clock;
    feed.on('preconfirmed', (flashblock) => this.#add(flashblock));
    feed.on('sealed', (block) => this.#seal(block));
    feed.on('rewound', ({ to }) => this.#forget(({ block }) => block > to));
    feed.on('begun', () => this.#forget(() => true));
  }

  #add({ payload, index, block: { header, hash, transactions } }: Flashblock): void {
    // A block that is built again replaces its earlier flashblocks.
    if (index === 0) this.#forget(({ block }) => block >= header.number);
    this.#kept.push({
      payload,
      parentHash: header.parentHash,
      block: header.number,
      hash,
      index,
      transactions: transactions.length,
      gasUsed: header.gasUsed,
      at: this.#clock.now(),
    });
    if (this.#kept.length > this.#most) this.#kept.splice(0, this.#kept.length - this.#most);
  }

  #seal(block: BlockView): void {
    // Chains without flashblocks end here.
    if (this.#kept.length === 0) return;
    const { number } = block.header;
    const at = this.#clock.now();
    for (let i = this.#kept.length - 1; i >= 0 && this.#kept[i]!.block >= number; i--)
      if (this.#kept[i]!.block === number) this.#kept[i]!.sealedAt = at;
  }

  #forget(isGone: (kept: KeptFlashblock) => boolean): void {
    while (this.#kept.length > 0 && isGone(this.#kept.at(-1)!)) this.#kept.pop();
  }

  /** The remembered flashblocks, oldest first. */
  get kept(): readonly KeptFlashblock[] {
    return this.#kept;
  }

  /** Finds a flashblock by its block and index. */
  find(number: bigint, at: bigint): KeptFlashblock | undefined {
    return this.#kept.find(({ block, index }) => block === number && BigInt(index) === at);
  }

  /** Returns the flashblocks as JSON, oldest first. */
  list() {
    return this.#kept.map(({ payload, parentHash, block, index, transactions, gasUsed, at, sealedAt }) => ({
      payloadId: hex(payloadId(payload, parentHash)),
      blockNumber: quantity(block),
      index,
      transactions,
      gasUsed: quantity(gasUsed),
      at,
      sealedAt: sealedAt ?? null,
    }));
  }
}
