import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ProcessMemory } from './collect-garbage.ts';
import { limitYoungGeneration } from './young-generation.ts';

/**
 * Percent by which V8 lets the heap grow before it collects all garbage, while long runs are under way: else up to 300. With 30
 * percent a node with twenty heavy requests takes another 80 MiB less, and its ticks drift by twice as much.
 */
const BUSY_GROWTH = 100;

/** The memory of a process that does nothing but run a node: sets flags of V8, which hold for the whole process. */
export const v8Memory: ProcessMemory = {
  collect() {
    // The function that `--expose-gc` makes: Node has no other way to ask for a collection.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // Else pages of the heap that have one object left stay, which after heavy requests are most of them.
    setFlagsFromString('--compact-on-every-full-gc');
    collect();
    setFlagsFromString('--no-compact-on-every-full-gc');
  },
  limit(isBusy) {
    // Costs some processor time. V8 reads the flags at each collection; 0 percent is V8's own choice.
    setFlagsFromString(`--heap-growing-percent=${isBusy ? BUSY_GROWTH : 0}`);
    limitYoungGeneration(isBusy);
  },
};
