import { slotCount, slotDue, type Timing } from './mode.ts';

/** The next slot to publish. */
export interface Slot {
  /** when it is due, milliseconds on the clock */
  readonly due: number;
  /** slots that passed unused before it */
  readonly merged: number;
  /** the block ends with it */
  readonly last: boolean;
}

/**
 * When the indexes of one block are due. A tick late by less than an interval keeps its slot; further behind, the slots
 * that were missed merge into one, and the next block begins at the last boundary before now (SPEC 3).
 */
export class BlockSchedule {
  readonly #mode: Timing;
  readonly #start: number;
  #next: number;

  /**
   * @param start when the block opened, milliseconds on the clock
   * @param next the first slot that is still to be published
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

  /** the slot that comes next */
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

  /** Takes the slot that is due at `now`, and those that were missed with it. */
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
   * When the block after this one opens, in milliseconds on the clock: at this one's end, or at the last boundary
   * before `now`; `merged` counts the slots of the blocks that passed unmade.
   */
  following(now: number): { readonly start: number; readonly merged: number } {
    const { blockTime } = this.#mode;
    // The clock was set back.
    if (now < this.#start) return { start: now, merged: 0 };
    const passed = Math.max(1, Math.floor((now - this.#start) / blockTime));
    return { start: this.#start + passed * blockTime, merged: (passed - 1) * slotCount(this.#mode) };
  }
}
