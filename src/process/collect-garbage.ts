import type { Clock } from '../clock.ts';

/** Milliseconds between two collections. */
const PERIOD = 10_000;
/** Milliseconds between two looks at the process's memory: a look takes about 30 us, as much as a short call. */
const LOOK_EVERY = 100;
/** Bytes that the process has more than after the last collection, before another one pays. */
const GROWTH = 64 * 2 ** 20;
/** The same once nothing long has run for a period: what is collected then doesn't come back at once. */
const SETTLED_GROWTH = 16 * 2 ** 20;

/**
 * The memory of the process that the node runs in. Only the command has one: a program that runs a chain inside itself keeps
 * its own settings of V8.
 */
export interface ProcessMemory {
  /** Collects all garbage. Takes 20 to 50 ms. */
  collect(): void;
  /** Keeps the garbage of long runs small. @param isBusy whether long runs are under way */
  limit(isBusy: boolean): void;
}

export interface GarbageCollectorDeps {
  /** wall time */
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** resident memory in bytes; default: that of this process */
  readonly memory?: () => number;
  /** collects all garbage; default: nothing does, and V8 collects when it chooses to */
  readonly collect?: (() => void) | undefined;
  /** Called before a collection: drops what only long runs need. */
  readonly drop?: () => void;
}

/**
 * Makes a function that gives unused memory back to the system: what long runs have held stays in use until the next
 * collection of all garbage, for which a node with little to do has no reason. It takes 20 to 50 ms, so it is done once in ten
 * seconds at most, when there is something to gain, and only while nothing long runs: later, where that isn't so now.
 */
export function garbageCollector(deps: GarbageCollectorDeps): (isQuiet: () => boolean) => void {
  const { clock, memory = () => process.memoryUsage.rss(), collect = () => {}, drop = () => {} } = deps;
  let next = Number.NEGATIVE_INFINITY;
  let nextLook = Number.NEGATIVE_INFINITY;
  let level = memory();
  let isWaiting = false;
  /** how often long runs have ended since none did for a period */
  let ends = 0;
  const collectNow = () => {
    next = clock.now() + PERIOD;
    drop();
    collect();
    level = memory();
  };
  const later = (ms: number, task: () => void) => void clock.after(ms, task, { keepsProcess: false });
  const collectSoon = (isQuiet: () => boolean) => {
    if (isWaiting) return;
    const now = clock.now();
    let wait = nextLook - now;
    if (wait <= 0) {
      nextLook = now + LOOK_EVERY;
      if (memory() < level + GROWTH) return;
      wait = Math.max(next - now, isQuiet() ? 0 : PERIOD);
      if (wait === 0) return collectNow();
    }
    isWaiting = true;
    later(wait, () => {
      isWaiting = false;
      collectSoon(isQuiet);
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
