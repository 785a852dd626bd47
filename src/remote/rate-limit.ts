import type { Clock } from '../clock.ts';
import type { Call } from './transport.ts';

/** How much a node may be asked for. */
export interface Rate {
  readonly perSecond: number;
  readonly unit: 'requests' | 'computeUnits';
}

/** Compute units of a method that isn't in the table: what most reads of state cost. */
const USUAL = 20;
/** What methods cost at Alchemy, where the unit is from. */
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

/** Spreads calls evenly over time, so that no second has more of them than the rate. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #clock: Pick<Clock, 'now'>;
  /** when the next call may be sent, milliseconds of the clock */
  #next = 0;

  constructor(rate: Rate, deps: { clock: Pick<Clock, 'now'> }) {
    this.#rate = rate;
    this.#clock = deps.clock;
  }

  /** Calls that may be sent as one batch. */
  get mostTogether(): number {
    const { perSecond, unit } = this.#rate;
    return Math.max(1, Math.floor(unit === 'requests' ? perSecond : perSecond / USUAL));
  }

  /** Takes the place of some calls. @returns how long they have to wait, milliseconds */
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
