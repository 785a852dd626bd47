import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';

/** Under this name the store keeps the offset, so that a reopened chain goes on in its own time. */
export const TIME_OFFSET = 'timeOffset';

/** Seconds: what milliseconds can count (the year 287,396). Blocks of 64 bits go on for ever from there. */
export const LATEST = BigInt(Number.MAX_SAFE_INTEGER) / 1000n;

/** @throws DevnetError -32602 for seconds that chain time can't be set to */
export function checkTime(timestamp: bigint): void {
  if (timestamp > LATEST) throw new DevnetError('timestampTooHigh', { timestamp, latest: LATEST });
}

/**
 * The chain's own time: the clock plus an offset that dev calls move. Milliseconds since the Unix epoch; blocks carry
 * whole seconds.
 */
export class ChainTime {
  readonly #clock: Clock;
  readonly #allowEqual: boolean;
  readonly #movesWithHead: boolean;
  readonly #origin: number;
  #offset: number;

  /**
   * @param options.offset milliseconds
   * @param options.allowEqual blocks may carry their parent's timestamp
   * @param options.movesWithHead see {@link reach}; recordings from before it was so are replayed without
   */
  constructor(
    options: { offset: number; allowEqual: boolean; movesWithHead?: boolean | undefined },
    deps: { clock: Clock },
  ) {
    this.#origin = options.offset;
    this.#offset = options.offset;
    this.#allowEqual = options.allowEqual;
    this.#movesWithHead = options.movesWithHead ?? true;
    this.#clock = deps.clock;
  }

  /** How far dev calls, set timestamps and blocks that came after one another quickly moved it, in whole seconds. */
  get moved(): number {
    return Math.trunc((this.#offset - this.#origin) / 1000);
  }

  /** milliseconds */
  get offset(): number {
    return this.#offset;
  }

  set offset(ms: number) {
    this.#offset = ms;
  }

  now(): number {
    return this.#clock.now() + this.#offset;
  }

  /**
   * Moves chain time by seconds, now and for good (`evm_increaseTime`).
   * @throws as {@link checkTime}
   */
  increase(seconds: bigint): void {
    checkTime(BigInt(Math.floor(this.now() / 1000)) + seconds);
    this.#offset += Number(seconds) * 1000;
  }

  /** Sets chain time to `ms` now; it flows on from there (`evm_setTime`). */
  setAt(ms: number): void {
    this.#offset = this.offsetFor(ms);
  }

  /** The offset with which chain time is `ms` now, in milliseconds. */
  offsetFor(ms: number): number {
    return ms - this.#clock.now();
  }

  /**
   * Moves chain time on by the whole seconds that it is behind a block: one that had to be pushed past its parent takes
   * chain time with it, as in Hardhat, so that `evm_increaseTime` counts from the head.
   * @param timestamp the block's, seconds
   * @param clockMs when it seals, on the clock
   */
  reach(timestamp: bigint, clockMs: number): void {
    this.#offset = this.offsetReaching(timestamp, clockMs);
  }

  /** The offset with which chain time isn't behind a block, see {@link reach}, in milliseconds. */
  offsetReaching(timestamp: bigint, clockMs: number): number {
    const reached = timestamp < LATEST ? timestamp : LATEST;
    const behind = Number(reached) - Math.floor((clockMs + this.#offset) / 1000);
    return this.#movesWithHead && behind > 0 ? this.#offset + behind * 1000 : this.#offset;
  }

  /**
   * @param clockMs when the block seals, on the clock
   * @returns seconds: that moment in chain time, but after the parent (or not before it, see `allowEqual`)
   */
  timestampAt(clockMs: number, parent: bigint): bigint {
    const earliest = this.#allowEqual ? parent : parent + 1n;
    const seconds = BigInt(Math.floor((clockMs + this.#offset) / 1000));
    return seconds > earliest ? seconds : earliest;
  }

  /** The earliest timestamp, in seconds, that a child of `parent` may carry. */
  earliest(parent: bigint): bigint {
    return this.#allowEqual ? parent : parent + 1n;
  }
}
