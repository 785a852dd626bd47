import type { performance as NodePerformance } from 'node:perf_hooks';
import type { Clock } from '../clock.ts';

/** Milliseconds between two slices. */
const BETWEEN = 1;
/** Milliseconds after which a busy event loop is checked again. */
const LATER = 20;
/** Slices run only if the event loop was busy for at most this share of the time since the last slice. */
const MAX_WORK = 0.25;

export interface IdleTimeDeps {
  readonly wall: Pick<Clock, 'after'>;
  /** Returns the share of the time since its last call in which the event loop was busy, 0 to 1; default: Node's measurement. */
  readonly work?: () => number;
}

/**
 * Does work that makes later requests faster, in slices and only while the process is mostly idle, so that a client that sends requests
 * right after the start doesn't wait for it. Doesn't keep the process alive.
 * @param slice does at most a quarter of a millisecond's work. @returns whether there is more to do
 * @param stop ends the work early
 */
export async function inIdleTime(
  slice: () => boolean,
  { wall, work = eventLoopWork() }: IdleTimeDeps,
  stop?: AbortSignal,
): Promise<void> {
  let wake = () => {};
  stop?.addEventListener('abort', () => wake(), { once: true });
  for (let isIdle = true; !stop?.aborted; ) {
    if (isIdle && !slice()) return;
    // Excludes the work of the slice itself from the measurement.
    work();
    await new Promise<void>((resolve) => {
      wake = resolve;
      wall.after(isIdle ? BETWEEN : LATER, resolve, { keepsProcess: false });
    });
    isIdle = work() <= MAX_WORK;
  }
}

function eventLoopWork(): () => number {
  // If the DOM types are in scope, `performance` would have the browser's type.
  const node = performance as unknown as typeof NodePerformance;
  let last = node.eventLoopUtilization();
  return () => {
    const now = node.eventLoopUtilization();
    const { utilization } = node.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
