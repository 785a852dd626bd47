import type { BlockView, Transaction } from '../chain/block.ts';
import { asSealed, openBlock, type TrieBlock } from '../chain/open-block.ts';
import type { Filled } from './fill.ts';
import type { Production } from './production.ts';

/** Empty blocks that are stored at a time: how long others wait, and what a death of the process loses. */
const GROUP = 64;

/**
 * Blocks made in one go: automine, manual, and intervals without partial blocks. Nothing is open between them;
 * `pending` is the block that would be mined now, built when somebody asks and kept until something changes.
 */
export class OnDemand {
  readonly #production: Production;
  #built: { key: readonly unknown[]; view: Promise<TrieBlock> } | undefined;

  constructor(production: Production) {
    this.#production = production;
  }

  pending(): Promise<BlockView> {
    const { chain, mempool, settings, clock } = this.#production.deps;
    const { timestamp } = settings.plan(chain.latest.header, clock.now());
    const key = [chain.latest, mempool.version, settings.version, timestamp];
    if (!this.#built || this.#built.key.some((part, i) => part !== key[i])) {
      const view = this.#build(Number.POSITIVE_INFINITY).then(({ open }) => this.#production.view(open));
      this.#built = { key, view };
    }
    return this.#built.view;
  }

  /**
   * Makes, stores and shows a block.
   * @param most transactions that it takes
   * @param list takes these instead of what waits
   * @returns what went in; with `orNothing` no block is made of nothing
   */
  async mine(most: number, orNothing = false, list?: readonly Transaction[]): Promise<Filled> {
    const { chain, settings, feed } = this.#production.deps;
    const filled = await this.#build(most, list);
    if (orNothing && filled.transactions.length === 0) {
      this.#production.leavePool(filled);
      return filled;
    }
    const block = await chain.store(await this.#production.view(filled.open));
    this.#production.leavePool(filled);
    chain.moveTo(block, undefined);
    settings.fix();
    settings.consume();
    this.#built = undefined;
    this.#production.nextPayload();
    if (feed.has('flashblock')) await this.#publish(filled, block);
    feed.emit('sealed', block);
    return filled;
  }

  /**
   * Makes `count` blocks without transactions, and stores many in one batch: each as it would be alone.
   * @param interval seconds from one to the next; chain time when absent
   */
  async mineEmpty(count: bigint, interval?: bigint): Promise<void> {
    const { chain, settings, feed, engine, clock } = this.#production.deps;
    for (let left = count; left > 0n; ) {
      const group: TrieBlock[] = [];
      let parent = chain.latest;
      const hashes = new Map<bigint, Uint8Array>();
      for (; left > 0n && group.length < GROUP; left--) {
        if (interval !== undefined)
          settings.setNext({ timestamp: parent.header.timestamp + interval }, parent.header);
        const plan = settings.plan(parent.header, clock.now());
        const open = await openBlock(parent, plan, engine, (n) => hashes.get(n) ?? chain.hashOf(n));
        parent = chain.prepare(await asSealed(open, engine));
        hashes.set(parent.header.number, parent.hash);
        group.push(parent);
        settings.fix();
        settings.consume();
        this.#production.nextPayload();
      }
      await chain.storePrepared();
      chain.moveTo(parent, undefined);
      this.#built = undefined;
      for (const block of group) feed.emit('sealed', block);
    }
  }

  async #build(transactions: number, list?: readonly Transaction[]): Promise<Filled> {
    const { chain, clock } = this.#production.deps;
    const open = await this.#production.open(chain.latest, clock.now());
    return this.#production.fill(open, { gas: open.env.gasLimit, transactions, ...(list && { list }) });
  }

  /** Such a block goes to the stream as indexes 0 and 1 (SPEC 3). */
  async #publish({ open }: Filled, block: TrieBlock): Promise<void> {
    const { chain, engine, feed } = this.#production.deps;
    const { payload } = this.#production;
    const empty = await openBlock(open.parent as TrieBlock, open.plan, engine, (n) => chain.hashOf(n));
    feed.emit('flashblock', {
      payload,
      index: 0,
      block: await this.#production.view(empty),
      transactions: [],
    });
    feed.emit('flashblock', { payload, index: 1, block, transactions: block.transactions });
  }
}
