import { slotCount, slotDue, type Timing } from './mode.ts';

/** A slot: the time at which one flashblock is due. */
export interface Slot {
  /** when it is due, milliseconds on the clock */
  readonly due: number;
  /** missed slots before it that were merged into it */
  readonly merged: number;
  /** whether the block ends with it */
  readonly last: boolean;
}

/**
 * When the flashblocks of one block are due. A tick that is late by less than an interval keeps its slot. If a tick is later,
 * the missed slots merge into one, and the next block begins at the last block boundary before now, so that the chain
 * doesn't fall behind the clock.
 */
export class FlashblockSchedule {
  readonly #mode: Timing;
  readonly #start: number;
  #next: number;

  /**
   * @param start when the block opened, milliseconds on the clock
   * @param next number of the first slot that is still to be published, from 1
   */
  constructor(mode: Timing, start: number, next = 1) {
    this.#mode = mode;
    this.#start = start;
    this.#next = next;
  }

  /** when the block opened, milliseconds on the clock */
  get start(): number {
    return this.#start;
  }

  /** number of the next slot, from 1 */
  get next(): number {
    return this.#next;
  }

  /** when the block is to be sealed, milliseconds on the clock */
  get end(): number {
    return this.#start + this.#mode.blockTime;
  }

  /** when the next slot is due, milliseconds on the clock */
  get due(): number {
    return this.#start + slotDue(this.#mode, this.#next);
  }

  /** Consumes the slot that is due at `now`, and the missed ones before it. @param now milliseconds on the clock */
  take(now: number): Slot {
    const count = slotCount(this.#mode);
    let slot = this.#next;
    let merged = 0;
    const interval = this.#mode.flashblockInterval || this.#mode.blockTime;
    if (now - this.due >= interval) {
      while (slot < count && this.#start + slotDue(this.#mode, slot + 1) <= now) {
        slot++;
        merged++;
      }
    }
    this.#next = slot + 1;
    return { due: this.#start + slotDue(this.#mode, slot), merged, last: slot >= count };
  }

  /**
   * When the next block opens, in milliseconds on the clock: at this block's end, or at the last block boundary before
   * `now` if that is later. `merged` counts the slots of the blocks that were missed in between.
   */
  following(now: number): { readonly start: number; readonly merged: number } {
    const { blockTime } = this.#mode;
    // The clock was set back.
    if (now < this.#start) return { start: now, merged: 0 };
    const passed = Math.max(1, Math.floor((now - this.#start) / blockTime));
    return { start: this.#start + passed * blockTime, merged: (passed - 1) * slotCount(this.#mode) };
  }
}
