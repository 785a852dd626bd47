import { setImmediate } from 'node:timers/promises';
import { type Clock, SystemClock } from './clock.ts';

/** Longest stretch of background work without letting other work run, in milliseconds. */
const STRETCH = 4;

export interface TurnsDeps {
  /** wall time */
  readonly wall: Pick<Clock, 'now'>;
  /** Ends when the event loop has seen to timers and connections. */
  readonly pause: () => Promise<void>;
}

/**
 * Keeps background work (calls, simulations, traces, pruning, long answers) from holding the event loop: all of it
 * together gets one stretch each time that the loop turns, however many runs there are, and they go on in the order in
 * which they paused. Ticks never wait here.
 */
export class Turns {
  readonly #deps: TurnsDeps;
  readonly #waiting: (() => void)[] = [];
  #givingTurns = false;
  /** milliseconds; `undefined` until somebody looks after the loop turned */
  #stretchStart: number | undefined;

  constructor(deps: TurnsDeps) {
    this.#deps = deps;
  }

  /** Whether others have waited long enough. Work that can pause looks from time to time. */
  get due(): boolean {
    const now = this.#deps.wall.now();
    if (this.#stretchStart !== undefined) return now - this.#stretchStart >= STRETCH;
    this.#stretchStart = now;
    void this.#deps.pause().then(() => {
      this.#stretchStart = undefined;
    });
    return false;
  }

  /** Lets everything else go first, the background work that paused before too. */
  pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#givingTurns) void this.#giveTurns();
    });
  }

  async #giveTurns(): Promise<void> {
    this.#givingTurns = true;
    while (this.#waiting.length > 0) {
      await this.#deps.pause();
      this.#stretchStart = undefined;
      this.#waiting.shift()!();
    }
    this.#givingTurns = false;
  }
}

/** The process has one event loop, so all nodes in it share one budget. */
export const turns = new Turns({ wall: new SystemClock(), pause: () => setImmediate() });

/**
 * Lets other work go first where it has waited long enough. Long loops await it at each step: the look costs less than a
 * microsecond.
 * @returns `undefined`, which costs no turn of the loop, as long as the stretch isn't over
 */
export function giveWay(): Promise<void> | undefined {
  return turns.due ? turns.pause() : undefined;
}
