import { setImmediate } from 'node:timers/promises';
import type { Transaction } from '../chain/block.ts';
import type { Mempool } from '../mempool/mempool.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import { checkTime } from './chain-time.ts';
import type { DevWrite } from './dev-write.ts';
import type { Cause } from './inputs.ts';
import type { Producer } from './mining/producer.ts';
import { MAX_MADE } from './mining/reserve-empty.ts';
import { type AllOrNothingDeps, allOrNothing } from './rewrite/all-or-nothing.ts';
import type { Sequencer } from './sequencer.ts';
import type { Settings } from './settings.ts';
import type { Turn } from './turn.ts';

export interface ControlsOptions {
  /** see `Config.spacesFirstBlock` */
  readonly spacesFirstBlock: boolean;
}

export interface ControlsDeps extends AllOrNothingDeps {
  readonly sequencer: Sequencer;
}

/** RPC operations on time, mempool and mining. Each runs in the sequencer's queue, see {@link Sequencer.inTurn}. */
export class Controls {
  readonly #options: ControlsOptions;
  readonly #deps: ControlsDeps;

  constructor(options: ControlsOptions, deps: ControlsDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /**
   * Seals `count` blocks.
   * @param options.timestamp timestamp of the first block, seconds; see `Sequencer.mine`
   * @param options.interval seconds between consecutive blocks, and with `spacesFirstBlock` also before the first one; when
   *   absent, chain time decides the timestamps. A timestamp that was set for the first block takes precedence
   * @throws DevnetError -32602 when the last timestamp would be above the latest settable chain time
   */
  mine(
    cause: Cause,
    count: bigint,
    { timestamp, interval }: { timestamp?: bigint | undefined; interval?: bigint | undefined } = {},
  ): Awaitable<void> {
    return this.#deps.sequencer.inTurnSoon(cause, (turn) =>
      this.mineIn(turn, count, { timestamp, interval }),
    );
  }

  /** Seals blocks within a task: all of them, or none if one can't be made. Parameters and errors like {@link mine}. */
  mineIn(
    turn: Turn,
    count: bigint,
    { timestamp, interval }: { timestamp?: bigint | undefined; interval?: bigint | undefined },
  ): Awaitable<void> {
    const { producer } = turn;
    if (count === 0n) return undefined;
    return allOrNothing(turn, this.#deps, () => {
      const { chain, mempool, settings } = this.#deps;
      if (interval !== undefined) checkTime((timestamp ?? chain.latest.header.timestamp) + count * interval);
      // As in anvil, an interval that was set for all blocks takes precedence.
      const spacing =
        this.#options.spacesFirstBlock && settings.interval !== undefined ? undefined : interval;
      const first = timestamp ?? this.#firstTime(producer, spacing);
      // A long run is reserved in one step if no transaction is pending for the first block.
      const isQuiet = count > MAX_MADE && timestamp === undefined && mempool.size === 0;
      const reserving = isQuiet ? producer.reserve(count, { first, interval: spacing }) : 0n;
      return andThen(reserving, (reserved) => {
        if (reserved > 0n) return this.#mineOn(producer, count - reserved, spacing);
        return andThen(producer.seal(first), () =>
          count > 1n ? this.#mineOn(producer, count - 1n, spacing) : undefined,
        );
      });
    });
  }

  /** Timestamp of the first of several blocks that are `interval` seconds apart; `undefined` if chain time decides it. */
  #firstTime(producer: Producer, interval: bigint | undefined): bigint | undefined {
    const { chain, settings } = this.#deps;
    // An open block with transactions keeps its timestamp.
    const isFixed = (producer.preconfirmed?.record.transactions.length ?? 0) > 0;
    if (interval === undefined || isFixed || !this.#options.spacesFirstBlock) return undefined;
    return settings.timestampIn(interval, chain.latest.header);
  }

  async #mineOn(producer: Producer, count: bigint, interval: bigint | undefined): Promise<void> {
    const { chain, mempool, feed } = this.#deps;
    /** the mempool's version before the block made last: if it is unchanged, no pending transaction could be included */
    let tried: number | undefined;
    for (let left = count; left > 0n; ) {
      const reserves = left > MAX_MADE;
      if (reserves && (mempool.size === 0 || mempool.version === tried)) {
        const { timestamp } = chain.latest.header;
        const first = interval === undefined ? undefined : timestamp + interval;
        const reserved = await producer.reserve(left, { first, interval });
        left -= reserved;
        if (reserved > 0n) continue;
      }
      tried = mempool.version;
      // Empty blocks are stored in batches, unless the flashblock stream has readers, who get each block's
      // flashblocks.
      const isQuiet = !reserves && mempool.size === 0 && !feed.has('flashblock');
      const sealed = isQuiet ? await producer.sealEmpty(left, interval) : 0n;
      left -= sealed || 1n;
      if (sealed > 0n) continue;
      if (interval !== undefined)
        await producer.setNext({ timestamp: chain.latest.header.timestamp + interval });
      await producer.seal();
      // Lets transactions arrive that may be in the next block.
      await setImmediate();
    }
  }

  /** Changes settings that decide timestamps, for the same block as `Sequencer.setNext`. @returns the result of `change` */
  changeTime<T>(cause: Cause, change: (settings: Settings) => T): Awaitable<T> {
    return this.#deps.sequencer.inTurnSoon(cause, (turn) =>
      allOrNothing(turn, this.#deps, () => {
        turn.producer.catchUp();
        const result = change(this.#deps.settings);
        return andThen(turn.producer.settingsChanged(), () => result);
      }),
    );
  }

  /**
   * Applies a dev write. It is visible at `latest` and `pending` immediately, and part of the next block's state root.
   * @param write runs on the head's state, and again on the open block's, where the account may differ
   * @param change changes settings that decide timestamps, see {@link changeTime}
   */
  patch(cause: Cause, write: DevWrite, change?: (settings: Settings) => void): Awaitable<void> {
    return this.#deps.sequencer.inTurnSoon(cause, (turn) =>
      allOrNothing(turn, this.#deps, () => {
        const { producer } = turn;
        const patching = producer.patch((block) => write(block.state));
        return andThen(patching, () => {
          if (!change) return undefined;
          change(this.#deps.settings);
          return producer.settingsChanged();
        });
      }),
    );
  }

  /** Removes transactions from the mempool. @returns the removed ones */
  drop(cause: Cause, choose: (mempool: Mempool) => readonly Transaction[]): Promise<readonly Transaction[]> {
    return this.#deps.sequencer.inTurn(cause, async () => {
      const { mempool, feed } = this.#deps;
      const dropped = choose(mempool).filter(({ hash }) => mempool.remove(hash));
      for (const transaction of dropped) feed.emit('dropped', { transaction, reason: 'dropped on demand' });
      return dropped;
    });
  }
}
