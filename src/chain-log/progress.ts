import type { Clock } from '../clock.ts';
import { type Ends, includes, type Position, positionOf } from './position.ts';

/** How far a chain is in the log, and who waits for more. */
export class Progress {
  readonly #clock: Clock;
  readonly #wait: number;
  #position: Position;
  #ends: Ends = [];
  readonly #waiting = new Set<{
    readonly position: Position;
    readonly resolve: (reached: boolean) => void;
  }>();

  /** @param options.wait milliseconds for which a caller waits for a position */
  constructor({ begin, wait }: { begin: Position; wait: number }, deps: { clock: Clock }) {
    this.#position = begin;
    this.#wait = wait;
    this.#clock = deps.clock;
  }

  get position(): Position {
    return this.#position;
  }

  /** The last positions of the leaders before. */
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

  /** Whether the chain has what another one had at this position. */
  has(position: Position): boolean {
    return includes(this.#position, position, this.#ends);
  }

  /** Whether the position can't be reached any more: it was lost with an earlier leader. */
  #isPast(position: Position): boolean {
    return position.fence < this.#position.fence;
  }

  /** @returns whether the position was reached within some seconds; false for a text that is no position */
  async reached(text: string): Promise<boolean> {
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

  /** Lets all who wait go: no more will come. */
  close(): void {
    for (const { resolve } of this.#waiting) resolve(false);
  }
}
