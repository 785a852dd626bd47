import type { Clock } from '../clock.ts';
import { hasReached, type Position, positionOf } from './position.ts';

/** How far a chain is in the log, and who waits for more. */
export class Progress {
  readonly #clock: Clock;
  readonly #wait: number;
  #position: Position;
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

  set position(position: Position) {
    this.#position = position;
    for (const waiter of this.#waiting) if (hasReached(position, waiter.position)) waiter.resolve(true);
  }

  /** @returns whether the position was reached within some seconds; false for a text that is no position */
  async reached(text: string): Promise<boolean> {
    const position = positionOf(text);
    if (!position) return false;
    if (hasReached(this.#position, position)) return true;
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
