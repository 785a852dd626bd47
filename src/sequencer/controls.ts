import type { Transaction } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import type { Mempool } from '../mempool/mempool.ts';
import { checkTime } from './chain-time.ts';
import { type DevWrite, writesOf } from './dev-write.ts';
import type { Feed } from './feed.ts';
import { preconfirms } from './mode.ts';
import type { Sequencer } from './sequencer.ts';
import type { Settings } from './settings.ts';

export interface ControlsDeps {
  readonly sequencer: Sequencer;
  readonly chain: Chain;
  readonly mempool: Mempool;
  readonly settings: Settings;
  readonly feed: Feed;
}

/** What a developer does to time, mempool and mining, each in its turn. */
export class Controls {
  readonly #deps: ControlsDeps;

  constructor(deps: ControlsDeps) {
    this.#deps = deps;
  }

  /**
   * Seals `count` blocks.
   * @param options.timestamp of the first one, seconds; see `Sequencer.mine`
   * @param options.interval seconds from one to the next; chain time when absent
   * @throws DevnetError -32602 when the last one would be too far away
   */
  mine(
    count: bigint,
    { timestamp, interval }: { timestamp?: bigint | undefined; interval?: bigint | undefined } = {},
  ): Promise<void> {
    const { sequencer, chain, mempool, feed } = this.#deps;
    return sequencer.inTurn(async (turn) => {
      if (count === 0n) return;
      if (interval !== undefined) checkTime((timestamp ?? chain.latest.header.timestamp) + count * interval);
      await turn.mine(timestamp);
      for (let left = count - 1n; left > 0n; ) {
        // Blocks that nobody watches being built, and that have nothing to hold, are stored many at a time.
        if (!preconfirms(sequencer.mode) && mempool.size === 0 && !feed.has('flashblock')) {
          left -= await turn.mineEmpty(left, interval);
          continue;
        }
        left--;
        if (interval !== undefined)
          await turn.setNext({ timestamp: chain.latest.header.timestamp + interval });
        await turn.mine();
      }
    });
  }

  /** Changes what decides timestamps, for the next block as `Sequencer.setNext` does. @returns what `change` does */
  changeTime<T>(change: (settings: Settings) => T): Promise<T> {
    return this.#deps.sequencer.inTurn(async (turn) => {
      turn.catchUp();
      const result = change(this.#deps.settings);
      await turn.settingsChanged();
      return result;
    });
  }

  /** Least fee cap that is admitted from now on, in wei per gas. */
  setMinGasPrice(wei: bigint): void {
    this.#deps.sequencer.setMinGasPrice(wei);
  }

  /**
   * A dev write: shows at `latest` and `pending` at once, and is in the next block's root.
   * @param write runs for the head's state, and again for that of the open block, where the account may differ
   * @param change what it does to timestamps, see {@link changeTime}
   */
  patch(write: DevWrite, change?: (settings: Settings) => void): Promise<void> {
    return this.#deps.sequencer.inTurn(async (turn) => {
      await turn.patch((block) => writesOf(write, block.state));
      if (!change) return;
      change(this.#deps.settings);
      await turn.settingsChanged();
    });
  }

  /** Takes waiting transactions out of the mempool. @returns those that were there */
  drop(choose: (mempool: Mempool) => readonly Transaction[]): Promise<readonly Transaction[]> {
    return this.#deps.sequencer.inTurn(async () => {
      const { mempool, feed } = this.#deps;
      const dropped = choose(mempool).filter(({ hash }) => mempool.remove(hash));
      for (const transaction of dropped) feed.emit('dropped', { transaction, reason: 'dropped on demand' });
      return dropped;
    });
  }
}
