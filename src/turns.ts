import { setImmediate } from 'node:timers/promises';
import { type Clock, SystemClock } from './clock.ts';

/** Time slice of background work before other work gets its turn, in milliseconds. */
const SLICE_MS = 4;

/** When long work stands still for other work. */
export interface Pauses {
  /** Whether the time slice is used up. Work that can pause checks this from time to time. */
  readonly due: boolean;
  /** Resolves when the work may go on; rejects with the reason when it is to end. */
  pause(): Promise<void>;
  /** Counts memory that the work holds from now on, or with a negative number gives back, in bytes. */
  hold(bytes: number): void;
}

export interface TurnsDeps {
  /** wall time */
  readonly wall: Pick<Clock, 'now'>;
  /** Resolves after the event loop has handled timers and connections. */
  readonly pause: () => Promise<void>;
}

/**
 * Keeps background work (calls, simulations, traces, pruning, long responses) from blocking the event loop. All of it
 * together gets one time slice per turn of the loop, however many tasks there are, and paused tasks resume in the
 * order in which they paused. The ticks that make blocks never wait here.
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
 * Repeats `step` until it returns false, giving way in between.
 * @param pauses as for {@link giveWay}
 * @returns `undefined` when the time slice lasted, which costs no turn of the event loop
 */
export function inTurns(step: () => boolean, pauses: Pauses = turns): Promise<void> | undefined {
  while (step()) if (pauses.due) return pauses.pause().then(() => inTurns(step, pauses));
  return undefined;
}

/**
 * Lets other work run when the time slice is used up. Long loops await it at each step: a check costs less than a
 * microsecond.
 * @param pauses default: those of background work without a caller
 * @returns `undefined` while the time slice lasts, which costs no turn of the event loop
 */
export function giveWay(pauses: Pauses = turns): Promise<void> | undefined {
  return pauses.due ? pauses.pause() : undefined;
}
