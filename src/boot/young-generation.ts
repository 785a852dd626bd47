import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { type IdleTimeDeps, inIdleTime } from './idle-time.ts';

/** Bytes of both halves together. A burst of 300 transactions makes 3 MB of short-lived objects. */
const SIZE = 8 * 2 ** 20;
/** V8's size at the start is a quarter or an eighth of that. */
const FIRST_GROWTH = 4;
/** Bytes that are allocated at a time: a quarter of a millisecond's work where pages are dear. */
const SLICE = 64 * 1024;
/**
 * Slices after which both halves have been used twice. After the first time, V8 has written to them; after the second, it has also
 * moved to the old generation what the start has left.
 */
const SLICES = (2 * SIZE) / SLICE;
/** An array with its header of 16 bytes. It is copied, as V8 makes what is often held where it was made in the old generation. */
const KIBIBYTE = new Array((1024 - 16) / 8).fill(0);

/** By how much V8 enlarges it when much survives: V8's own choice, until {@link prepareYoungGeneration} has. */
let growth = 2;

/**
 * Keeps the garbage of long runs small, at the cost of some processor time.
 * @param isBusy whether they are under way: the young generation isn't enlarged then
 */
export function limitYoungGeneration(isBusy: boolean): void {
  growBy(isBusy ? 1 : growth);
}

/**
 * Enlarges the part of V8's heap in which new objects are made, and writes to all of it. V8 would do both during the first
 * requests: it doubles that part each time when much has survived, and the operating system gives a process a page of its
 * memory when that is first written to, which takes 0.5 us, and 14 us on some virtual machines. There, a transaction of the
 * first 300 waited for four such pages, a tenth of its time. After this the size stays, so that no other pages are needed.
 *
 * The part has two halves: objects are made in one, and what survives a collection is copied to the other. Runs in idle
 * time.
 */
export function prepareYoungGeneration(deps: IdleTimeDeps): Promise<void> {
  let held: unknown[] | undefined = [];
  let slices = 0;
  const slice = () => {
    if (held && sizeOfYoungGeneration() < SIZE) {
      // When so much has survived as the space is large, V8 enlarges it.
      growBy(FIRST_GROWTH);
      held.push(garbage());
      growBy(growth);
    } else {
      held = undefined;
      growth = 1;
      growBy(growth);
      garbage();
    }
    return slices++ < SLICES;
  };
  return inIdleTime(slice, deps);
}

/** V8 reads the flag at each collection. */
function growBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

/** Bytes of both halves. */
function sizeOfYoungGeneration(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

function garbage(): unknown[] {
  return Array.from({ length: SLICE / 1024 }, () => KIBIBYTE.slice());
}
