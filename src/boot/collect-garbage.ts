import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../clock.ts';
import { limitYoungGeneration } from './young-generation.ts';

/** Milliseconds between two collections. */
const PERIOD = 10_000;
/** Bytes that the process has more than after the last collection, before another one pays. */
const GROWTH = 64 * 2 ** 20;
/** The same once nothing long has run for a period: what is collected then doesn't come back at once. */
const SETTLED_GROWTH = 16 * 2 ** 20;

/**
 * Percent by which V8 lets the heap grow before it collects all garbage, while long runs are under way: else up to 300. With 30
 * percent a node with twenty heavy requests takes another 80 MiB less, and its ticks drift by twice as much.
 */
const BUSY_GROWTH = 100;

export interface GarbageCollectorDeps {
  /** wall time */
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** resident memory in bytes; default: that of this process */
  readonly memory?: () => number;
  /** default: a collection of all garbage by V8 */
  readonly collect?: () => void;
  /** Called before a collection: drops what only long runs need. */
  readonly drop?: () => void;
}

/**
 * Makes a function that gives unused memory back to the system: what long runs have held stays in use until the next
 * collection of all garbage, for which a node with little to do has no reason. It takes 20 to 50 ms, so it is done once in ten
 * seconds at most, when there is something to gain, and only while nothing long runs: later, where that isn't so now.
 */
export function garbageCollector(deps: GarbageCollectorDeps): (isQuiet: () => boolean) => void {
  const { clock, memory = () => process.memoryUsage.rss(), collect = collectAll, drop = () => {} } = deps;
  let next = Number.NEGATIVE_INFINITY;
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
    if (isWaiting || memory() < level + GROWTH) return;
    const wait = Math.max(next - clock.now(), isQuiet() ? 0 : PERIOD);
    if (wait === 0) {
      collectNow();
      return;
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

/**
 * Keeps the garbage of long runs small, at the cost of some processor time: V8 reads the flags at each collection.
 * @param isBusy whether long runs are under way; 0 percent is V8's own choice
 */
export function limitGarbage(isBusy: boolean): void {
  setFlagsFromString(`--heap-growing-percent=${isBusy ? BUSY_GROWTH : 0}`);
  limitYoungGeneration(isBusy);
}

function collectAll(): void {
  // The function that `--expose-gc` makes: Node has no other way to ask for a collection.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Else pages of the heap that have one object left stay, which after heavy requests are most of them.
  setFlagsFromString('--compact-on-every-full-gc');
  collect();
  setFlagsFromString('--no-compact-on-every-full-gc');
}
