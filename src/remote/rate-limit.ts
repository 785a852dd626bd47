import type { Clock } from '../clock.ts';
import type { Call } from './transport.ts';

/** The rate limit of a node. */
export interface Rate {
  readonly perSecond: number;
  readonly unit: 'requests' | 'computeUnits';
}

/** Compute units of a method that isn't in the table: the cost of most state reads. */
const USUAL = 20;
/** The cost of methods at Alchemy, which defines this unit. */
const COMPUTE_UNITS: Readonly<Record<string, number>> = {
  eth_chainId: 0,
  eth_blockNumber: 10,
  eth_call: 26,
  eth_estimateGas: 20,
  eth_feeHistory: 10,
  eth_getLogs: 60,
  eth_getBlockReceipts: 20,
  eth_simulateV1: 40,
  debug_traceCall: 40,
  debug_traceTransaction: 40,
  debug_traceBlockByNumber: 40,
  debug_traceBlockByHash: 40,
};

/** Spreads calls evenly over time, so that the rate isn't exceeded in any second. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #clock: Pick<Clock, 'now'>;
  /** when the next call may be sent, milliseconds on the clock */
  #next = 0;

  constructor(rate: Rate, deps: { clock: Pick<Clock, 'now'> }) {
    this.#rate = rate;
    this.#clock = deps.clock;
  }

  /** Maximum number of calls in one batch. */
  get mostTogether(): number {
    const { perSecond, unit } = this.#rate;
    return Math.max(1, Math.floor(unit === 'requests' ? perSecond : perSecond / USUAL));
  }

  /** Reserves the time for some calls. @returns how long they have to wait, in milliseconds */
  take(calls: readonly Call[]): number {
    const now = this.#clock.now();
    const from = Math.max(this.#next, now);
    this.#next = from + (1000 * this.#costOf(calls)) / this.#rate.perSecond;
    return from - now;
  }

  #costOf(calls: readonly Call[]): number {
    if (this.#rate.unit === 'requests') return calls.length;
    return calls.reduce((sum, { method }) => sum + (COMPUTE_UNITS[method] ?? USUAL), 0);
  }
}
