import { bytesToHex } from '@ethereumjs/util';
import type { Clock } from '../../clock.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Feed } from '../../sequencer/feed/feed.ts';
import { preconfirms } from '../../sequencer/mining/mode.ts';
import type { Sequencer } from '../../sequencer/sequencer.ts';

/** Longest delay of a look-up, milliseconds. viem gives a request up after 10 s. */
const MAX_HOLD_MS = 5_000;

export interface HeldLookupsOptions {
  /** time limit of a call in milliseconds; 0 for no limit */
  readonly callTimeout: number;
}

export interface HeldLookupsDeps {
  readonly mempool: Mempool;
  readonly feed: Feed;
  readonly sequencer: Pick<Sequencer, 'mode' | 'preconfirms' | 'isIdle' | 'nextFees'>;
  /** The machine's clock: the clock that drives the chain may be paused while a client waits. */
  readonly clock: Clock;
}

interface Hold {
  /** Whether the chain was being changed when the delay began: a flashblock that is being built has already selected its transactions. */
  isLate: boolean;
  readonly end: () => void;
}

/**
 * Delays the answers to look-ups of transactions that the next flashblock will include. ethers looks up a transaction immediately after
 * sending it; this way both viem and ethers find it pre-confirmed.
 */
export class HeldLookups {
  readonly #callTimeout: number;
  readonly #deps: HeldLookupsDeps;
  /** by hash, `0x` hex */
  readonly #holds = new Map<string, Set<Hold>>();
  #listeners: Disposable[] = [];

  constructor(options: HeldLookupsOptions, deps: HeldLookupsDeps) {
    this.#callTimeout = options.callTimeout;
    this.#deps = deps;
  }

  /** Whether any look-up may be delayed. */
  get areLikely(): boolean {
    const { mempool, sequencer } = this.#deps;
    return mempool.size > 0 && sequencer.preconfirms;
  }

  /**
   * Waits for the next flashblock, at most one and a half intervals. Ends earlier if the transaction leaves the mempool, the mining mode is
   * switched or the chain stops.
   * @returns `undefined` if the transaction isn't waiting, or if the next flashblock wouldn't include it
   */
  hold(bytes: Uint8Array): Promise<void> | undefined {
    const { mempool, sequencer, clock } = this.#deps;
    const { mode } = sequencer;
    if (!this.areLikely || !preconfirms(mode)) return undefined;
    const { baseFee = 0n, blobBaseFee = 0n } = sequencer.nextFees();
    if (!mempool.has(bytes) || mempool.obstacleTo(bytes, baseFee, blobBaseFee)) return undefined;
    const hash = bytesToHex(bytes);
    const half = this.#callTimeout > 0 ? this.#callTimeout / 2 : MAX_HOLD_MS;
    const ms = Math.min(mode.flashblockInterval * 1.5, MAX_HOLD_MS, half);
    return new Promise((resolve) => {
      const hold = {
        isLate: !sequencer.isIdle,
        end: () => {
          timer[Symbol.dispose]();
          this.#remove(hash, hold);
          resolve();
        },
      };
      const timer = clock.after(ms, hold.end, { keepsProcess: false });
      this.#add(hash, hold);
    });
  }

  #add(hash: string, hold: Hold): void {
    const holds = this.#holds.get(hash) ?? new Set();
    this.#holds.set(hash, holds.add(hold));
    if (this.#listeners.length > 0) return;
    const { feed, mempool } = this.#deps;
    this.#listeners = [
      mempool.onLeave((left) => this.#endOf(left)),
      feed.on('preconfirmed', ({ transactions }) => {
        // An empty flashblock comes from a dev write or opens a block, and couldn't include any.
        if (transactions.length > 0) this.#passOver();
      }),
      feed.on('closed', () => {
        for (const hash of [...this.#holds.keys()]) this.#endOf(hash);
      }),
    ];
  }

  /** Must be called after each flashblock: transactions that are still waiting aren't in it. */
  #passOver(): void {
    for (const hold of [...this.#holds.values()].flatMap((holds) => [...holds])) {
      if (hold.isLate) hold.isLate = false;
      else hold.end();
    }
  }

  #endOf(hash: string): void {
    for (const hold of [...(this.#holds.get(hash) ?? [])]) hold.end();
  }

  #remove(hash: string, hold: Hold): void {
    const holds = this.#holds.get(hash);
    holds?.delete(hold);
    if (holds?.size === 0) this.#holds.delete(hash);
    if (this.#holds.size > 0) return;
    for (const listener of this.#listeners.splice(0)) listener[Symbol.dispose]();
  }
}
