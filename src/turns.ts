import { setImmediate } from 'node:timers/promises';
import { type Clock, SystemClock } from './clock.ts';

/** Time slice of background work before other work gets its turn, in milliseconds. */
const SLICE_MS = 4;

/** Decides when long work pauses to let other work run. */
export interface Pauses {
  /** Whether the time slice is used up. Work that can pause checks this from time to time. */
  readonly due: boolean;
  /** Resolves when the work may continue; rejects with the reason if it must end. */
  pause(): Promise<void>;
  /** Counts memory that the work allocates, in bytes; a negative number counts freed memory. */
  hold(bytes: number): void;
}

export interface TurnsDeps {
  /** wall time */
  readonly wall: Pick<Clock, 'now'>;
  /** Resolves after the event loop has handled timers and connections. */
  readonly pause: () => Promise<void>;
}

/**
 * Keeps background work (calls, simulations, traces, pruning, long responses) from blocking the event loop. All background
 * tasks together get one time slice per turn of the loop, and paused tasks resume in the order in which they paused. The
 * ticks that make blocks never wait here.
 */
export class Turns implements Pauses {
  readonly #deps: TurnsDeps;
  readonly #waiting: (() => void)[] = [];
  #givingTurns = false;
  /** start of the current time slice in milliseconds; `undefined` until the first check after a turn of the loop */
  #sliceStart: number | undefined;

  constructor(deps: TurnsDeps) {
    this.#deps = deps;
  }

  get due(): boolean {
    const now = this.#deps.wall.now();
    if (this.#sliceStart !== undefined) return now - this.#sliceStart >= SLICE_MS;
    this.#sliceStart = now;
    void this.#deps.pause().then(() => {
      this.#sliceStart = undefined;
    });
    return false;
  }

  /** Resolves after all other work had its turn, including background work that paused earlier. */
  pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#givingTurns) void this.#giveTurns();
    });
  }

  /** Work without a caller has no limit. */
  hold(): void {}

  async #giveTurns(): Promise<void> {
    this.#givingTurns = true;
    while (this.#waiting.length > 0) {
      await this.#deps.pause();
      this.#sliceStart = undefined;
      this.#waiting.shift()!();
    }
    this.#givingTurns = false;
  }
}

/** The process has one event loop, so all nodes in it share one time slice. */
export const turns = new Turns({ wall: new SystemClock(), pause: () => setImmediate() });

/**
 * Repeats `step` until it returns false, and lets other work run in between.
 * @param pauses see {@link giveWay}
 * @returns `undefined` if all steps ran within the time slice, which takes no turn of the event loop
 */
export function inTurns(step: () => boolean, pauses: Pauses = turns): Promise<void> | undefined {
  while (step()) if (pauses.due) return pauses.pause().then(() => inTurns(step, pauses));
  return undefined;
}

/**
 * Lets other work run when the time slice is used up. Long loops await this at each step: a check takes less than a
 * microsecond.
 * @param pauses default: those of background work that no caller waits for
 * @returns `undefined` while the time slice lasts, which costs no turn of the event loop
 */
export function giveWay(pauses: Pauses = turns): Promise<void> | undefined {
  return pauses.due ? pauses.pause() : undefined;
}
