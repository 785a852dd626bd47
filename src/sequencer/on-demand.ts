import type { BlockView } from '../chain/block.ts';
import type { OpenBlock, TrieBlock } from '../chain/open-block.ts';
import type { Filled } from './fill.ts';
import { mineEmpty } from './mine-empty.ts';
import type { Production } from './production.ts';

/**
 * Blocks made in one go: automine, manual, and intervals without partial blocks. Nothing is open between them;
 * `pending` is the block that would be mined now, built when somebody asks and kept until something changes.
 */
export class OnDemand {
  readonly #production: Production;
  #built: { key: readonly unknown[]; view: Promise<TrieBlock> } | undefined;
  /** the block opened last: who looks at `pending` before a send has opened the block of the send */
  #opened: { key: readonly unknown[]; open: OpenBlock } | undefined;

  constructor(production: Production) {
    this.#production = production;
  }

  pending(): Promise<BlockView> {
    const { chain, mempool, settings, clock } = this.#production.deps;
    const { timestamp } = settings.plan(chain.latest.header, clock.now());
    const key = [chain.latest, settings.version, timestamp, mempool.version];
    if (!this.#built || differ(this.#built.key, key)) {
      const view = this.#build(Number.POSITIVE_INFINITY, clock.now(), true).then(({ filled }) =>
        this.#production.view(filled.open),
      );
      const built = { key, view };
      this.#built = built;
      view.catch(() => {
        // The next one who asks tries again.
        if (this.#built === built) this.#built = undefined;
      });
    }
    return this.#built.view;
  }

  /**
   * Makes, stores and shows a block.
   * @param options.most transactions that it takes; all by default
   * @param options.at when it is sealed, milliseconds on the clock; now by default
   * @returns what went in; with `orNothing` no block is made of nothing
   */
  async mine(options: { most?: number; at?: number; orNothing?: boolean } = {}): Promise<Filled> {
    const { chain, settings, feed, clock } = this.#production.deps;
    const { most = Number.POSITIVE_INFINITY, at = clock.now() } = options;
    const { empty, filled } = await this.#build(most, at);
    if (options.orNothing && filled.transactions.length === 0) {
      this.#production.show(filled, () => {});
      return filled;
    }
    settings.fix(empty.env.timestamp, at);
    const block = await this.#production.store(await this.#production.view(filled.open));
    settings.consume();
    this.#built = undefined;
    this.#production.nextPayload();
    this.#production.show(filled, () => chain.moveTo(block, undefined));
    if (feed.has('flashblock')) await this.#publish(empty, block);
    feed.emit('sealed', block);
    return filled;
  }

  /** See {@link mineEmpty}. */
  async mineEmpty(most: bigint, interval?: bigint): Promise<bigint> {
    const made = await mineEmpty(this.#production, { most, interval });
    this.#built = undefined;
    return made;
  }

  async #build(
    transactions: number,
    at: number,
    quiet = false,
  ): Promise<{ empty: OpenBlock; filled: Filled }> {
    const empty = await this.#open(at);
    const limits = { gas: empty.env.gasLimit, transactions, quiet };
    const filled = await this.#production.fill(empty, limits);
    return { empty, filled };
  }

  async #open(at: number): Promise<OpenBlock> {
    const { chain, settings } = this.#production.deps;
    const { latest } = chain;
    // All else that is decided when a block is opened follows from these.
    const key = [latest, settings.version, settings.plan(latest.header, at).timestamp];
    if (this.#opened && !differ(this.#opened.key, key)) return this.#opened.open;
    const open = await this.#production.open(latest, at);
    this.#opened = { key, open };
    return open;
  }

  /** Such a block goes to the stream as indexes 0 and 1 (SPEC 3). */
  async #publish(empty: OpenBlock, block: TrieBlock): Promise<void> {
    const { feed } = this.#production.deps;
    const { payload } = this.#production;
    feed.emit('flashblock', {
      payload,
      index: 0,
      block: await this.#production.view(empty),
      transactions: [],
    });
    feed.emit('flashblock', { payload, index: 1, block, transactions: block.transactions });
  }
}

function differ(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.some((part, i) => part !== other[i]);
}
