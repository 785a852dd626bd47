import type { Block, Transaction, TrieBlock } from '../../chain/block.ts';
import type { Chain } from '../../chain/chain.ts';
import type { ForkOrigin } from '../../chain/fork-origin.ts';
import { DevnetError } from '../../errors.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { ChainState } from '../../state/chain-state.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import type { CurrentTask } from '../current-task.ts';
import type { Feed } from '../feed/feed.ts';
import type { Cause } from '../inputs.ts';
import type { Assembler } from '../mining/assembler.ts';
import type { PreparedStart } from '../mining/producer.ts';
import { noncesIn } from '../nonces-in.ts';
import type { Sequencer } from '../sequencer.ts';
import type { Settings, SettingsRecord } from '../settings.ts';
import { allOrNothing } from './all-or-nothing.ts';
import { prepareReorg, type RequestedTransaction, reorg } from './reorg.ts';
import { reportLost } from './report-lost.ts';
import { continueFrom, restoringSettings, rewind } from './rewind.ts';
import type { Snapshot, Snapshots } from './snapshots.ts';
import { withdraw } from './withdraw.ts';

export interface HistoryDeps {
  readonly sequencer: Sequencer;
  readonly assembler: Assembler;
  readonly chain: Chain;
  readonly mempool: Mempool;
  readonly settings: Settings;
  readonly feed: Feed;
  readonly snapshots: Snapshots;
  readonly current: CurrentTask;
}

/** The genesis block with which a chain restarts. */
export interface NewGenesis {
  readonly genesis: Block & { readonly state: ChainState };
  /** the chain that the new one is forked from, if any */
  readonly origin: ForkOrigin | undefined;
  /** gas limit of the blocks to come */
  readonly gasLimit: bigint;
  /** Called before a block is opened on the new genesis block. @returns a function that undoes this, called if opening fails */
  readonly opened: () => () => void;
}

/**
 * The operations that remove sealed blocks or pre-confirmed transactions: snapshots, rollback, reorg, reset, restart.
 * Sealed blocks are removed in one batch of the store. Its cost doesn't depend on the length of the chain.
 */
export class History {
  readonly #deps: HistoryDeps;
  readonly #snapshots: Snapshots;
  /** the settings at the chain's start */
  #initial: SettingsRecord;

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
    this.#snapshots = deps.snapshots;
    const { open, next, ...settings } = deps.settings.record();
    // Settings for the next block, set before the chain starts, apply to its first block.
    this.#initial = { ...settings, open: { ...open, ...next }, next: {} };
  }

  /** @returns the snapshot's id */
  snapshot(cause: Cause): Awaitable<bigint> {
    const { sequencer, chain, mempool, settings } = this.#deps;
    return sequencer.inTurnSoon(cause, ({ producer }) => {
      const { header, hash, state } = chain.latest;
      return this.#snapshots.add({
        number: header.number,
        hash,
        stateRoot: state.root,
        pool: mempool.snapshot(),
        open: producer.preconfirmed?.record,
        settings: settings.record(),
      });
    });
  }

  /**
   * Restores a snapshot: blocks, state, mempool, settings, chain time, and the open block with its transactions.
   * Deletes this snapshot and all later ones.
   * @returns whether the snapshot exists; snapshots of pruned blocks don't
   */
  revert(cause: Cause, id: bigint): Awaitable<boolean> {
    const { sequencer, chain, mempool } = this.#deps;
    return sequencer.inTurnSoon(cause, (turn) => {
      this.#snapshots.forgetBelow(chain);
      const snapshot = this.#snapshots.at(id);
      if (!snapshot) return false;
      this.#deps.current.allowExpiry('firstWrite');
      const rewound = rewind(
        turn,
        snapshot,
        {
          settings: snapshot.settings,
          open: snapshot.open,
          restorePool: () => mempool.restore(snapshot.pool),
          onGone: () => this.#snapshots.forgetFrom(id),
        },
        this.#deps,
      );
      return andThen(rewound, () => true);
    });
  }

  /**
   * Removes the newest `depth` sealed blocks. Chain time continues from the new head. Pending pool transactions stay;
   * pre-confirmed ones are pre-confirmed again if they can still be included.
   */
  rollback(cause: Cause, depth: bigint): Promise<void> {
    const { sequencer, chain, mempool, settings } = this.#deps;
    return sequencer.inTurn(cause, async (turn) => {
      const number = this.#below(depth);
      const { header, state } = (await chain.resolve({ number })) as TrieBlock;
      this.#deps.current.allowExpiry('firstWrite');
      const nonceOf = await noncesIn(state, mempool);
      const record = turn.producer.preconfirmed?.record;
      await rewind(
        turn,
        { number, stateRoot: state.root },
        {
          settings: { ...settings.record(), now: Number(header.timestamp) * 1000 },
          open: record && { ...record, age: 0, slot: 1 },
          restorePool: () => mempool.prune(nonceOf),
          onGone: () => this.#snapshots.forgetAbove(number),
        },
        this.#deps,
      );
    });
  }

  /**
   * Replaces the newest `depth` blocks with others that have the same timestamps, see {@link reorg}. A new block is then
   * opened on them.
   * @throws DevnetError when a given transaction can't be made or included; the chain then stays as it was
   */
  reorg(
    cause: Cause,
    depth: bigint,
    refill: { reinclude: boolean } | { given: readonly RequestedTransaction[] },
  ): Promise<void> {
    const { sequencer, assembler, chain, current } = this.#deps;
    return sequencer.inTurn(cause, async (turn) => {
      current.allowExpiry('firstWrite');
      const number = this.#below(depth);
      const replaced = await chain.above(number);
      const lists =
        'given' in refill
          ? { listAt: await prepareReorg({ number, replaced, given: refill.given }, this.#deps) }
          : refill;
      await assembler.progress(undefined);
      await reorg({ number, replaced, refill: lists }, turn, this.#deps);
      this.#snapshots.forgetAbove(number);
    });
  }

  /** Rolls the chain back to the genesis block and its original state, and empties the mempool. */
  reset(cause: Cause): Promise<void> {
    const { sequencer, chain, mempool } = this.#deps;
    return sequencer.inTurn(cause, async (turn) => {
      const number = chain.genesis;
      const { header } = (await chain.resolve({ number }))!;
      const stateRoot = chain.initialRoot;
      const now = Number(header.timestamp) * 1000;
      this.#deps.current.allowExpiry('firstWrite');
      await rewind(
        turn,
        { number, stateRoot },
        {
          settings: { ...this.#initial, now },
          restorePool: () => mempool.clear(),
          onGone: () => this.#snapshots.clear(),
        },
        this.#deps,
      );
    });
  }

  /**
   * Restarts the chain with another genesis block: either a block of another chain, which is then the fork block, or a new
   * genesis block.
   * @param onShown called when readers see the new genesis block
   */
  restart(
    cause: Cause,
    { genesis, origin, gasLimit, opened }: NewGenesis,
    onShown: () => void,
  ): Promise<void> {
    const { sequencer, chain, mempool, settings, feed } = this.#deps;
    return sequencer.inTurn(cause, async (turn) => {
      const removed = feed.has('removed') ? await chain.above(chain.genesis) : undefined;
      const now = Number(genesis.header.timestamp) * 1000;
      const initial = { ...this.#initial, every: { ...this.#initial.every, gasLimit }, open: {}, now };
      const close = opened();
      const preparing = () => {
        settings.restore(initial);
        return turn.producer.prepare({ ...genesis, sealed: true });
      };
      let start: PreparedStart;
      try {
        start = await restoringSettings(preparing, settings);
      } catch (error) {
        close();
        throw error;
      }
      await chain.begin(genesis, origin);
      this.#snapshots.clear();
      this.#initial = initial;
      let waiting = mempool.freeze();
      await continueFrom(start, turn, this.#deps, () => {
        waiting = mempool.freeze();
        mempool.clear();
        onShown();
        feed.emit('begun', undefined);
        if (removed) feed.emit('removed', removed);
      });
      reportLost(waiting(), 'the chain began again on another genesis block', this.#deps);
    });
  }

  /** Removes a pre-confirmed transaction from the open block, see {@link withdraw}. */
  withdraw(
    cause: Cause,
    hash: Uint8Array,
    replacement?: (withdrawn: Transaction) => Transaction,
  ): Promise<void> {
    return this.#deps.sequencer.inTurn(cause, async (turn) =>
      allOrNothing(turn, this.#deps, () => withdraw({ hash, replacement }, turn, this.#deps)),
    );
  }

  /** The snapshots that can be reverted to, by id. */
  get snapshots(): readonly (readonly [bigint, Snapshot])[] {
    this.#snapshots.forgetBelow(this.#deps.chain);
    return this.#snapshots.entries();
  }

  #below(depth: bigint): bigint {
    const { number } = this.#deps.chain.latest.header;
    const first = this.#deps.chain.states;
    if (depth > number - first)
      throw new DevnetError('invalidParams', {
        reason: `the chain has ${number - first} blocks to take back, not ${depth}`,
      });
    return number - depth;
  }
}
