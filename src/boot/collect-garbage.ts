import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../clock.ts';
import { dropSpareCores } from '../executor/core.ts';

/** Milliseconds between two collections. */
const PERIOD = 10_000;

/**
 * Makes a function that gives unused memory back to the system: what long runs have held stays in use until the next
 * collection of all garbage, for which a node with little to do has no reason. It takes 20 to 50 ms, so it is done once in ten
 * seconds at most.
 */
export function garbageCollector({ wall }: { wall: Pick<Clock, 'now'> }): () => void {
  let next = Number.NEGATIVE_INFINITY;
  return () => {
    const now = wall.now();
    if (now < next) return;
    next = now + PERIOD;
    dropSpareCores();
    // The function that `--expose-gc` makes: Node has no other way to ask for a collection.
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
  };
}
