import { bytesToHex } from '@ethereumjs/util';
import type { Clock } from '../../clock.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Feed } from '../../sequencer/feed/feed.ts';
import { preconfirms } from '../../sequencer/mining/mode.ts';
import type { Sequencer } from '../../sequencer/sequencer.ts';

/** Longest hold, milliseconds: clients give a request up after 10 s (viem). */
const LONGEST = 5_000;

export interface HeldLookupsOptions {
  /** milliseconds that a call may take; 0 for no limit */
  readonly callTimeout: number;
}

export interface HeldLookupsDeps {
  readonly mempool: Mempool;
  readonly feed: Feed;
  readonly sequencer: Pick<Sequencer, 'mode' | 'preconfirms' | 'isIdle' | 'nextFees'>;
  /** The machine's clock: the one that drives the chain may stand still while a client waits. */
  readonly clock: Clock;
}

interface Hold {
  /** Whether something else changes the chain when the hold begins: a flashblock that is being made has taken its transactions. */
  isLate: boolean;
  readonly end: () => void;
}

/**
 * Holds the answers to look-ups of transactions that the next flashblock is about to take. ethers asks for a transaction right
 * after it has sent it, and both viem and ethers find it pre-confirmed then.
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

  /** Whether any transaction may be held. */
  get areLikely(): boolean {
    const { mempool, sequencer } = this.#deps;
    return mempool.size > 0 && sequencer.preconfirms;
  }

  /**
   * Waits for the next flashblock, an interval and a half at most. Ends before when the transaction leaves the mempool, the
   * mining mode is switched or the chain stops.
   * @returns `undefined` where the transaction doesn't wait, or the next flashblock wouldn't take it
   */
  hold(bytes: Uint8Array): Promise<void> | undefined {
    const { mempool, sequencer, clock } = this.#deps;
    const { mode } = sequencer;
    if (!this.areLikely || !preconfirms(mode)) return undefined;
    const { baseFee = 0n, blobBaseFee = 0n } = sequencer.nextFees();
    if (!mempool.has(bytes) || mempool.obstacleTo(bytes, baseFee, blobBaseFee)) return undefined;
    const hash = bytesToHex(bytes);
    const half = this.#callTimeout > 0 ? this.#callTimeout / 2 : LONGEST;
    const ms = Math.min(mode.flashblockInterval * 1.5, LONGEST, half);
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
        // An empty one follows from a dev write or opens a block, and could take none.
        if (transactions.length > 0) this.#passOver();
      }),
      feed.on('closed', () => {
        for (const hash of [...this.#holds.keys()]) this.#endOf(hash);
      }),
    ];
  }

  /** To be called when there is a flashblock: those that are still held aren't in it. */
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
