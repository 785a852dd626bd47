import type { Clock } from '../clock.ts';
import { type Ends, includes, type Position, positionOf } from './position.ts';

/** A chain's position in the log, and the callers that wait for a later one. */
export class Progress {
  readonly #clock: Clock;
  readonly #wait: number;
  #position: Position;
  #ends: Ends = [];
  readonly #waiting = new Set<{
    readonly position: Position;
    readonly resolve: (reached: boolean) => void;
  }>();

  /** @param options.wait maximum time that a caller waits for a position, in milliseconds */
  constructor({ begin, wait }: { begin: Position; wait: number }, deps: { clock: Clock }) {
    this.#position = begin;
    this.#wait = wait;
    this.#clock = deps.clock;
  }

  get position(): Position {
    return this.#position;
  }

  /** The last positions of the earlier leaders. */
  get ends(): Ends {
    return this.#ends;
  }

  moveTo(position: Position, ends: Ends): void {
    this.#position = position;
    this.#ends = ends;
    for (const waiter of this.#waiting) {
      if (this.has(waiter.position)) waiter.resolve(true);
      else if (this.#isPast(waiter.position)) waiter.resolve(false);
    }
  }

  /** Whether the chain contains everything that another chain had at this position. */
  has(position: Position): boolean {
    return includes(this.#position, position, this.#ends);
  }

  /** Whether the position can't be reached any more, because its tasks were lost with an earlier leader. */
  #isPast(position: Position): boolean {
    return position.fence < this.#position.fence;
  }

  /** @returns whether the position was reached within the maximum wait; false if the text isn't a position */
  async waitUntilReached(text: string): Promise<boolean> {
    const position = positionOf(text);
    if (!position) return false;
    if (this.has(position)) return true;
    if (this.#isPast(position)) return false;
    return new Promise((resolve) => {
      const waiter = {
        position,
        resolve: (reached: boolean) => {
          this.#waiting.delete(waiter);
          limit[Symbol.dispose]();
          resolve(reached);
        },
      };
      const limit = this.#clock.after(this.#wait, () => waiter.resolve(false));
      this.#waiting.add(waiter);
    });
  }

  /** Resolves all waiting callers with false, because no more tasks will come. */
  close(): void {
    for (const { resolve } of this.#waiting) resolve(false);
  }
}
