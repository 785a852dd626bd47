import { concatBytes } from '@ethereumjs/util';
import type { BlockView, Transaction } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import type { TrieBlock } from '../chain/open-block.ts';
import { DevnetError } from '../errors.ts';
import type { Mempool } from '../mempool/mempool.ts';
import { keccak256 } from '../state/keccak.ts';
import type { Awaitable } from '../state/view.ts';
import type { Feed } from './feed.ts';
import type { Sequencer } from './sequencer.ts';
import type { Settings, SettingsRecord } from './settings.ts';
import { type Position, Snapshots } from './snapshots.ts';
import type { Turn } from './turn.ts';

export interface HistoryDeps {
  readonly sequencer: Sequencer;
  readonly chain: Chain;
  readonly mempool: Mempool;
  readonly settings: Settings;
  readonly feed: Feed;
}

/** All that takes sealed blocks back. Each way is one stored batch, at a cost that doesn't depend on the chain. */
export class History {
  readonly #deps: HistoryDeps;
  readonly #snapshots = new Snapshots();
  /** as the chain began */
  readonly #initial: SettingsRecord;

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
    this.#initial = deps.settings.record();
  }

  /** @returns the snapshot's id */
  snapshot(): Promise<bigint> {
    const { sequencer, chain, mempool, settings } = this.#deps;
    return sequencer.inTurn(async ({ open }) => {
      const { header, hash, state } = chain.latest;
      return this.#snapshots.add({
        number: header.number,
        hash,
        stateRoot: state.root,
        pool: mempool.snapshot(),
        open,
        settings: settings.record(),
      });
    });
  }

  /**
   * Back to where the snapshot was taken: blocks, state, mempool, settings, chain time, and the open block with its
   * transactions. Consumes it and all later ones.
   * @returns whether there is such a snapshot; none stands on a block that was pruned
   */
  revert(id: bigint): Promise<boolean> {
    const { sequencer, chain, mempool } = this.#deps;
    return sequencer.inTurn(async (turn) => {
      this.#snapshots.forgetBelow(chain.first);
      const position = this.#snapshots.consume(id);
      if (!position) return false;
      await this.#goBack(turn, position, {
        settings: position.settings,
        open: position.open,
        restorePool: () => mempool.restore(position.pool),
      });
      return true;
    });
  }

  /**
   * Takes `depth` sealed blocks back. Chain time goes on from the new head. What waits, waits on, and what was
   * pre-confirmed is pre-confirmed again as far as it can.
   */
  rollback(depth: bigint): Promise<void> {
    const { sequencer } = this.#deps;
    return sequencer.inTurn(async (turn) => {
      const number = this.#below(depth);
      await this.#takeBack(turn, number, {
        open: turn.open && { ...turn.open, age: 0, slot: 1 },
        timeAt: (head) => Number(head.header.timestamp) * 1000,
      });
    });
  }

  /**
   * Puts `depth` other blocks in the place of the newest ones. Transactions of the replaced blocks and of the open one
   * are gone.
   * @param listAt what a new block holds, by its place from 0; asked when those before it are sealed
   */
  reorg(depth: bigint, listAt: (place: bigint) => Awaitable<readonly Transaction[]>): Promise<void> {
    const { sequencer, chain, settings, feed } = this.#deps;
    return sequencer.inTurn(async (turn) => {
      const number = this.#below(depth);
      const replaced = chain.latest.hash;
      const lost = turn.open?.transactions ?? [];
      await this.#takeBack(turn, number);
      for (const transaction of lost)
        feed.emit('dropped', { transaction, reason: 'its block was taken back' });
      for (let place = 0n; place < depth; place++) {
        // Otherwise the same time and transactions would make the same block again.
        settings.setNext(
          { prevRandao: keccak256(concatBytes(replaced, chain.latest.hash)) },
          chain.latest.header,
        );
        await turn.mine({ list: await listAt(place) });
      }
    });
  }

  /** Replaces the newest blocks by others of the same times, see `Sequencer.reorg`. */
  async replace(depth: number, reinclude: boolean): Promise<void> {
    const { sequencer, chain } = this.#deps;
    await sequencer.reorg(depth, reinclude);
    this.#snapshots.forgetAbove(chain.latest.header.number - BigInt(depth));
  }

  /** Back to the genesis block as it was made, with nothing waiting. */
  reset(): Promise<void> {
    const { sequencer, chain, mempool } = this.#deps;
    return sequencer.inTurn(async (turn) => {
      const genesis = (await chain.resolve({ number: 0n }))!;
      const { hash, header } = genesis;
      const now = Number(header.timestamp) * 1000;
      this.#snapshots.clear();
      await this.#goBack(
        turn,
        { number: 0n, hash, stateRoot: header.stateRoot },
        { settings: { ...this.#initial, now }, restorePool: () => mempool.clear() },
      );
    });
  }

  /** The snapshots that can be reverted to, by id. */
  get snapshots(): readonly (readonly [bigint, Position])[] {
    this.#snapshots.forgetBelow(this.#deps.chain.first);
    return this.#snapshots.entries();
  }

  #below(depth: bigint): bigint {
    const { number } = this.#deps.chain.latest.header;
    const first = this.#deps.chain.first;
    if (depth > number - first)
      throw new DevnetError('invalidParams', {
        reason: `the chain has ${number - first} blocks to take back, not ${depth}`,
      });
    return number - depth;
  }

  async #takeBack(
    turn: Turn,
    number: bigint,
    { open, timeAt }: { open?: Position['open']; timeAt?: (head: BlockView) => number } = {},
  ): Promise<void> {
    const { chain, mempool, settings } = this.#deps;
    const target = (await chain.resolve({ number })) as TrieBlock;
    const { now, ...record } = settings.record();
    this.#snapshots.forgetAbove(number);
    await this.#goBack(
      turn,
      { number, hash: target.hash, stateRoot: target.state.root },
      {
        settings: { ...record, now: timeAt?.(target) ?? now },
        open,
        restorePool: () => {
          mempool.prune((sender) => target.state.getAccount(sender)?.nonce ?? 0n);
        },
      },
    );
  }

  async #goBack(
    turn: Turn,
    to: Pick<Position, 'number' | 'hash' | 'stateRoot'>,
    options: {
      settings: SettingsRecord;
      open?: Position['open'];
      restorePool: () => void;
    },
  ): Promise<void> {
    const { chain, feed, settings } = this.#deps;
    const removed: BlockView[] = [];
    if (feed.has('removed'))
      for (let number = chain.latest.header.number; number > to.number; number--)
        removed.push((await chain.resolve({ number }))!);
    const head = await chain.rollbackTo(to.number, to.stateRoot);
    settings.restore(options.settings);
    await turn.continueFrom(head, {
      open: options.open,
      told: () => {
        options.restorePool();
        if (removed.length > 0) feed.emit('removed', removed);
      },
    });
    settings.defer(options.settings.next);
  }
}
