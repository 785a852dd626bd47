import { getHeapSpaceStatistics } from 'node:v8';
import { type IdleTimeDeps, inIdleTime } from './idle-time.ts';
import { ownValue, setFlag } from './v8-flags.ts';

/** Size of both halves together, in bytes. A burst of 300 transactions makes 3 MB of short-lived objects. */
const SIZE = 8 * 2 ** 20;
/** V8 starts with halves of 1 MiB, and uses the second one from its first collection on. */
const FIRST_HALF = 2 ** 20;
/** Bytes allocated at a time: a quarter of a millisecond's work on machines where new pages are expensive. */
const SLICE = 64 * 1024;
/**
 * Number of slices that use both halves twice. The first time they write to all pages; the second time V8 moves the objects that remain
 * from the start to the old generation.
 */
const SLICES = (2 * SIZE) / SLICE;
/**
 * An array of 1 KiB including its header of 16 bytes. Slices copy it, because V8 starts to allocate an array in the old generation if the
 * expression that creates it often creates long-lived arrays.
 */
const KIBIBYTE = new Array((1024 - 16) / 8).fill(0);

/** The factor by which V8 enlarges the young generation when much of it survives. */
let growth = ownValue('semi-space-growth-factor');
/** whether long runs are in progress */
let isLimited = false;

/**
 * Keeps the garbage of long runs small, at the cost of some processor time.
 * @param isBusy whether long runs are in progress: then the young generation isn't enlarged
 */
export function limitYoungGeneration(isBusy: boolean): void {
  isLimited = isBusy;
  growBy(growth);
}

/**
 * Enlarges the part of V8's heap for new objects (the young generation), and writes to all of it. V8 would do both during the first
 * requests: it doubles the young generation each time when much has survived, and the operating system allocates a page when it is first
 * written to, which takes 0.5 µs, and 14 µs on some virtual machines. There, each of the first 300 transactions waited for four such pages,
 * a tenth of its time. Afterwards the size stays constant, so that no further pages are needed.
 *
 * The young generation has two halves: objects are allocated in one, and the survivors of a collection are copied to the other. All this is
 * done in idle time.
 */
export function prepareYoungGeneration(deps: IdleTimeDeps): Promise<void> {
  let held: unknown[] | undefined = [];
  let slices = 0;
  const slice = () => {
    const size = sizeOfYoungGeneration();
    if (held && size < SIZE) {
      // V8 enlarges the space when as many bytes have survived as it has. It may have done so itself, before this or between slices.
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

/** Returns the size of both halves in bytes. */
function sizeOfYoungGeneration(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

function garbage(): unknown[] {
  return Array.from({ length: SLICE / 1024 }, () => KIBIBYTE.slice());
}
