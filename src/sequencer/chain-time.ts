import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';

/** The key under which the store keeps the offset, so that a reopened chain continues at its own time. */
export const TIME_OFFSET = 'timeOffset';

/** The metadata about chain time that is stored with each block: its offset, milliseconds. */
export const timeMeta = (timeOffset: number | undefined) =>
  ({ timeOffset }) satisfies Record<typeof TIME_OFFSET, number | undefined>;

/**
 * Latest settable chain time, in seconds: chain time is kept in milliseconds as a JavaScript number, exact up to the
 * year 287,396. Timestamps of blocks are 64-bit integers and may go beyond.
 */
export const LATEST = BigInt(Number.MAX_SAFE_INTEGER) / 1000n;

/** @throws DevnetError -32602 for a timestamp, in seconds, above {@link LATEST} */
export function checkTime(timestamp: bigint): void {
  if (timestamp > LATEST) throw new DevnetError('timestampTooHigh', { timestamp, latest: LATEST });
}

/**
 * Chain time: the clock plus an offset, both in milliseconds. RPC methods such as `evm_increaseTime` change the offset. Block timestamps
 * are chain time in seconds.
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
   * @param options.movesWithHead whether {@link reach} has an effect; false only to replay old recordings
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

  /** How far RPC methods, set timestamps and {@link reach} moved chain time since the start, whole seconds. */
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

  /** Moves chain time forward by `seconds`, permanently (`evm_increaseTime`). @throws like {@link checkTime} */
  increase(seconds: bigint): void {
    checkTime(BigInt(Math.floor(this.now() / 1000)) + seconds);
    this.#offset += Number(seconds) * 1000;
  }

  /** Sets chain time to `ms`; it continues from there with the clock (`evm_setTime`). */
  setAt(ms: number): void {
    this.#offset = this.offsetFor(ms);
  }

  /** The offset, in milliseconds, that makes chain time `ms` at this moment. */
  offsetFor(ms: number): number {
    return ms - this.#clock.now();
  }

  /**
   * If chain time is behind a block, moves it forward to the block's timestamp, by whole seconds. A block may be ahead of chain time
   * because its timestamp must be above its parent's. As in Hardhat, `evm_increaseTime` then counts from the head.
   * @param timestamp the block's timestamp, seconds
   * @param clockMs when the block is sealed, milliseconds on the clock
   */
  reach(timestamp: bigint, clockMs: number): void {
    this.#offset = this.offsetReaching(timestamp, clockMs);
  }

  /** The offset, in milliseconds, that {@link reach} would set. */
  offsetReaching(timestamp: bigint, clockMs: number): number {
    const reached = timestamp < LATEST ? timestamp : LATEST;
    const behind = Number(reached) - Math.floor((clockMs + this.#offset) / 1000);
    return this.#movesWithHead && behind > 0 ? this.#offset + behind * 1000 : this.#offset;
  }

  /**
   * @param clockMs when the block is sealed, milliseconds on the clock
   * @param parent the parent's timestamp, seconds
   * @returns chain time at `clockMs` in seconds, but at least {@link earliest}
   */
  timestampAt(clockMs: number, parent: bigint): bigint {
    const earliest = this.#allowEqual ? parent : parent + 1n;
    const seconds = BigInt(Math.floor((clockMs + this.#offset) / 1000));
    return seconds > earliest ? seconds : earliest;
  }

  /** The earliest timestamp, in seconds, that a child of a block with the timestamp `parent` may carry. */
  earliest(parent: bigint): bigint {
    return this.#allowEqual ? parent : parent + 1n;
  }
}
