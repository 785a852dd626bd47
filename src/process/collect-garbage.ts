import type { Clock } from '../clock.ts';

/** Milliseconds between two collections. */
const PERIOD = 10_000;
/**
 * Milliseconds between the end of a long run and a collection: the client that asked often sends its next request at once, such as the
 * explorer, which shows the failed line of a transaction after it was executed again.
 */
const REST = 1_000;
/** Milliseconds between two checks of the process's memory: a check takes about 30 µs, as much as a short call. */
const LOOK_EVERY = 100;
/** By how many bytes the memory must have grown since the last collection before another one is worthwhile. */
const GROWTH = 64 * 2 ** 20;
/** The same, after no long run for a whole period: memory freed then isn't needed again at once. */
const SETTLED_GROWTH = 16 * 2 ** 20;

/**
 * Control over the memory of the process in which the node runs. Only the command has it: a program that runs a chain inside itself keeps
 * its own V8 settings.
 */
export interface ProcessMemory {
  /** Collects all garbage. Takes 20 to 50 ms. */
  collect(): void;
  /** Keeps the garbage of long runs small. @param isBusy whether long runs are in progress */
  limit(isBusy: boolean): void;
}

export interface GarbageCollectorDeps {
  /** wall time */
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** resident memory in bytes; default: that of this process */
  readonly memory?: () => number;
  /** collects all garbage; by default nothing does, and V8 collects when it chooses to */
  readonly collect?: (() => void) | undefined;
  /** Called before a collection; drops data that only long runs need. */
  readonly drop?: () => void;
}

/**
 * Creates a function that returns unused memory to the operating system: memory of long runs stays in use until the next collection of all
 * garbage, for which V8 has no reason in an idle node. A collection takes 20 to 50 ms, so it is done at most once in ten seconds, if enough
 * memory can be freed, and only while no long run is in progress; otherwise it is postponed. It is done a second after a long run, not
 * right after it.
 */
export function garbageCollector(deps: GarbageCollectorDeps): (isQuiet: () => boolean) => void {
  const { clock, memory = () => process.memoryUsage.rss(), collect = () => {}, drop = () => {} } = deps;
  let next = Number.NEGATIVE_INFINITY;
  let nextLook = Number.NEGATIVE_INFINITY;
  let level = memory();
  let isWaiting = false;
  /** number of times that long runs have ended since the last period without any */
  let ends = 0;
  const collectNow = () => {
    next = clock.now() + PERIOD;
    drop();
    collect();
    level = memory();
  };
  const later = (ms: number, task: () => void) => void clock.after(ms, task, { keepsProcess: false });
  const hasGrown = () => memory() >= level + GROWTH;
  const collectSoon = (isQuiet: () => boolean) => {
    if (isWaiting) return;
    const now = clock.now();
    const untilLook = nextLook - now;
    if (untilLook <= 0) {
      nextLook = now + LOOK_EVERY;
      if (!hasGrown()) return;
    }
    isWaiting = true;
    later(untilLook > 0 ? untilLook : Math.max(next - now, isQuiet() ? REST : PERIOD), () => {
      isWaiting = false;
      if (untilLook <= 0 && isQuiet() && hasGrown()) collectNow();
      else collectSoon(isQuiet);
    });
  };
  const settle = (isQuiet: () => boolean) => {
    const before = ends;
    later(PERIOD, () => {
      if (ends !== before) return settle(isQuiet);
      ends = 0;
      if (isQuiet() && memory() >= level + SETTLED_GROWTH) collectNow();
    });
  };
  return (isQuiet) => {
    collectSoon(isQuiet);
    if (ends++ === 0) settle(isQuiet);
  };
}
