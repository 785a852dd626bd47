import type { performance as NodePerformance } from 'node:perf_hooks';
import type { Clock } from '../clock.ts';

/** Milliseconds between two slices. */
const BETWEEN = 1;
/** Milliseconds after which a busy event loop is looked at again. */
const LATER = 20;
/** Slices run only if the event loop has worked for no larger part of the time since the last one. */
const MOST_WORK = 0.25;

export interface IdleTimeDeps {
  readonly wall: Pick<Clock, 'after'>;
  /** Measures the part of the time since its last call that the event loop has worked, 0 to 1; default: Node's measure. */
  readonly work?: () => number;
}

/**
 * Does work that makes later requests faster, in slices, and only while there is little else to do: a client that sends
 * requests right after the start doesn't wait for it. Doesn't keep the process running.
 * @param slice at most a quarter of a millisecond's work. @returns whether there is more to do
 * @param stop ends it early
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
    // What the slice itself has worked doesn't count.
    work();
    await new Promise<void>((resolve) => {
      wake = resolve;
      wall.after(isIdle ? BETWEEN : LATER, resolve, { keepsProcess: false });
    });
    isIdle = work() <= MOST_WORK;
  }
}

function eventLoopWork(): () => number {
  // With the types of a browser in scope it would be a browser's.
  const node = performance as unknown as typeof NodePerformance;
  let last = node.eventLoopUtilization();
  return () => {
    const now = node.eventLoopUtilization();
    const { utilization } = node.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
