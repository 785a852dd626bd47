import { getHeapSpaceStatistics } from 'node:v8';
import { type IdleTimeDeps, inIdleTime } from './idle-time.ts';
import { ownValue, setFlag } from './v8-flags.ts';

/** Bytes of both halves together. A burst of 300 transactions makes 3 MB of short-lived objects. */
const SIZE = 8 * 2 ** 20;
/** V8 begins with halves of 1 MiB, and takes the second one when it first collects. */
const FIRST_HALF = 2 ** 20;
/** Bytes that are allocated at a time: a quarter of a millisecond's work where pages are dear. */
const SLICE = 64 * 1024;
/**
 * Slices that use both halves twice. The first time writes to them; the second one lets V8 move what is left of the start to the
 * old generation.
 */
const SLICES = (2 * SIZE) / SLICE;
/**
 * An array with its header of 16 bytes. Slices copy it: where an expression makes an array that is often kept, V8 begins to make
 * that array in the old generation.
 */
const KIBIBYTE = new Array((1024 - 16) / 8).fill(0);

/** The factor by which V8 enlarges the young generation when much of it survives. */
let growth = ownValue('semi-space-growth-factor');
/** whether long runs are under way */
let isLimited = false;

/**
 * Keeps the garbage of long runs small, at the cost of some processor time.
 * @param isBusy whether they are under way: the young generation isn't enlarged then
 */
export function limitYoungGeneration(isBusy: boolean): void {
  isLimited = isBusy;
  growBy(growth);
}

/**
 * Enlarges the part of V8's heap in which new objects are made, and writes to all of it. V8 would do both during the first
 * requests: it doubles that part each time when much has survived, and the operating system gives a process a page of its
 * memory when that is first written to, which takes 0.5 us, and 14 us on some virtual machines. There, a transaction of the
 * first 300 waited for four such pages, a tenth of its time. After this the size stays, so that no other pages are needed.
 *
 * The part has two halves: objects are made in one, and what survives a collection is copied to the other. All this is done in
 * idle time.
 */
export function prepareYoungGeneration(deps: IdleTimeDeps): Promise<void> {
  let held: unknown[] | undefined = [];
  let slices = 0;
  const slice = () => {
    const size = sizeOfYoungGeneration();
    if (held && size < SIZE) {
      // V8 enlarges the space once as many bytes have survived as it has. It may have done so itself, before this or between slices.
      growBy(Math.ceil(SIZE / 2 / Math.max(FIRST_HALF, size / 2)));
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
  setFlag('semi-space-growth-factor', isLimited ? 1 : factor);
}

/** Bytes of both halves. */
function sizeOfYoungGeneration(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

function garbage(): unknown[] {
  return Array.from({ length: SLICE / 1024 }, () => KIBIBYTE.slice());
}
