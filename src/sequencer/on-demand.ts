import type { BlockView } from '../chain/block.ts';
import type { BlockPlan, OpenBlock, TrieBlock } from '../chain/open-block.ts';
import { Mempool, type PoolSnapshot } from '../mempool/mempool.ts';
import type { Filled } from './fill.ts';
import { mineEmpty } from './mine-empty.ts';
import type { Production } from './production.ts';

/**
 * Blocks made in one go: automine, manual, and intervals without partial blocks. Nothing is open between them;
 * `pending` is the block that would be mined now, built when somebody asks and kept until something changes.
 */
export class OnDemand {
  readonly #production: Production;
  #moment: { key: readonly unknown[]; pending: () => Promise<BlockView> } | undefined;
  /** the block opened last: who looks at `pending` before a send has opened the block of the send */
  #opened: { key: readonly unknown[]; open: OpenBlock } | undefined;

  constructor(production: Production) {
    this.#production = production;
  }

  /** @returns what builds the block that would be mined at this moment, once, however the chain has gone on since */
  pendingNow(): () => Promise<BlockView> {
    const { chain, mempool, settings, clock } = this.#production.deps;
    const { latest } = chain;
    const opening = { plan: settings.plan(latest.header, clock.now()), version: settings.version };
    const key = [latest, opening.version, opening.plan.timestamp, mempool.version];
    if (!this.#moment || differ(this.#moment.key, key)) {
      const waiting = mempool.freeze();
      let built: Promise<BlockView> | undefined;
      const pending = () => {
        built ??= this.#buildAside(latest, opening, waiting).catch((error) => {
          // The next one who asks tries again.
          built = undefined;
          throw error;
        });
        return built;
      };
      this.#moment = { key, pending };
    }
    return this.#moment.pending;
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
    const { latest } = chain;
    const opening = { plan: settings.plan(latest.header, at), version: settings.version };
    const empty = await this.#open(latest, opening);
    const limits = { gas: empty.env.gasLimit, transactions: most };
    const filled = await this.#production.fill(empty, limits);
    if (options.orNothing && filled.transactions.length === 0) {
      this.#production.show(filled, () => {});
      return filled;
    }
    settings.fix(empty.env.timestamp, at);
    const block = await this.#production.store(await this.#production.view(filled.open));
    settings.consume();
    this.#moment = undefined;
    this.#production.nextPayload();
    this.#production.show(filled, () => chain.moveTo(block, undefined));
    if (feed.has('flashblock')) await this.#publish(empty, block);
    feed.emit('sealed', block);
    return filled;
  }

  /** See {@link mineEmpty}. */
  async mineEmpty(most: bigint, interval?: bigint): Promise<bigint> {
    const made = await mineEmpty(this.#production, { most, interval });
    this.#moment = undefined;
    return made;
  }

  async #buildAside(parent: TrieBlock, opening: Opening, waiting: () => PoolSnapshot): Promise<BlockView> {
    const open = await this.#open(parent, opening);
    const pool = new Mempool();
    pool.restore(waiting());
    const limits = { gas: open.env.gasLimit, transactions: Number.POSITIVE_INFINITY, quiet: true };
    const filled = await this.#production.fill(open, limits, pool);
    return this.#production.view(filled.open);
  }

  async #open(parent: TrieBlock, { plan, version }: Opening): Promise<OpenBlock> {
    // All else that is decided when a block is opened follows from these.
    const key = [parent, version, plan.timestamp];
    if (this.#opened && !differ(this.#opened.key, key)) return this.#opened.open;
    const open = await this.#production.openAs(parent, plan);
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

/** What is decided of a block before it is opened, under the settings of which version. */
interface Opening {
  readonly plan: BlockPlan;
  readonly version: number;
}

function differ(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.some((part, i) => part !== other[i]);
}
