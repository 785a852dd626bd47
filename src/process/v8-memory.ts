import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ProcessMemory } from './collect-garbage.ts';
import { limitYoungGeneration } from './young-generation.ts';

/**
 * Percentage by which V8 lets the heap grow before it collects all garbage while long runs are in progress; otherwise up to 300. With 30
 * percent, a node with twenty heavy requests uses another 80 MiB less, but its ticks drift by twice as much.
 */
const BUSY_GROWTH = 100;

/** The memory of a process that only runs a node: this sets V8 flags for the whole process. */
export const v8Memory: ProcessMemory = {
  collect() {
    // Gets the function that `--expose-gc` creates: Node has no other way to request a collection.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // Without compaction, heap pages with a single remaining object are kept, which after heavy requests are most pages.
    setFlagsFromString('--compact-on-every-full-gc');
    collect();
    setFlagsFromString('--no-compact-on-every-full-gc');
  },
  limit(isBusy) {
    // Costs some processor time. V8 reads the flag at each collection; 0 means V8's own choice.
    setFlagsFromString(`--heap-growing-percent=${isBusy ? BUSY_GROWTH : 0}`);
    limitYoungGeneration(isBusy);
  },
};
