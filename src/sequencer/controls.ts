import type { Transaction } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import type { Mempool } from '../mempool/mempool.ts';
import { checkTime } from './chain-time.ts';
import { type DevWrite, writesOf } from './dev-write.ts';
import type { Feed } from './feed/feed.ts';
import type { Cause } from './inputs.ts';
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
    cause: Cause,
    count: bigint,
    { timestamp, interval }: { timestamp?: bigint | undefined; interval?: bigint | undefined } = {},
  ): Promise<void> {
    const { sequencer, chain, mempool, feed } = this.#deps;
    return sequencer.inTurn(cause, async ({ producer }) => {
      if (count === 0n) return;
      if (interval !== undefined) checkTime((timestamp ?? chain.latest.header.timestamp) + count * interval);
      await producer.seal(timestamp);
      for (let left = count - 1n; left > 0n; ) {
        // Blocks that nobody watches being built, and that have nothing to hold, are stored many at a time.
        const isQuiet = mempool.size === 0 && !feed.has('flashblock');
        const sealed = isQuiet ? await producer.sealEmpty(left, interval) : 0n;
        left -= sealed || 1n;
        if (sealed > 0n) continue;
        if (interval !== undefined)
          await producer.setNext({ timestamp: chain.latest.header.timestamp + interval });
        await producer.seal();
      }
    });
  }

  /** Changes what decides timestamps, for the next block as `Sequencer.setNext` does. @returns what `change` does */
  changeTime<T>(cause: Cause, change: (settings: Settings) => T): Promise<T> {
    return this.#deps.sequencer.inTurn(cause, async ({ producer }) => {
      producer.catchUp();
      const result = change(this.#deps.settings);
      await producer.settingsChanged();
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
  patch(cause: Cause, write: DevWrite, change?: (settings: Settings) => void): Promise<void> {
    return this.#deps.sequencer.inTurn(cause, async ({ producer }) => {
      await producer.patch((block) => writesOf(write, block.state));
      if (!change) return;
      change(this.#deps.settings);
      await producer.settingsChanged();
    });
  }

  /** Takes waiting transactions out of the mempool. @returns those that were there */
  drop(cause: Cause, choose: (mempool: Mempool) => readonly Transaction[]): Promise<readonly Transaction[]> {
    return this.#deps.sequencer.inTurn(cause, async () => {
      const { mempool, feed } = this.#deps;
      const dropped = choose(mempool).filter(({ hash }) => mempool.remove(hash));
      for (const transaction of dropped) feed.emit('dropped', { transaction, reason: 'dropped on demand' });
      return dropped;
    });
  }
}
