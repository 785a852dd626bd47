import { readFileSync } from 'node:fs';
import { CoreInstance } from './core.ts';

/** Beside the bundle, or where scripts/build-core.mjs puts it. */
const FILE = process.env.DEVNET_CORE ?? '../../../build/core.wasm';
/** The module that tells of steps: src/core/evm/steps.ts. It is loaded when the first run wants them. */
const STEPS_FILE = process.env.DEVNET_CORE_STEPS ?? '../../../build/core-steps.wasm';

/** Spare instances that are kept: as many as long runs use at a time. */
const MOST_SPARE = 8;
/** Of those, the ones that stay when there are no long runs any more. */
const MOST_QUIET = 1;
/** Bytes that all instances of the process may have together, for a large one to be kept. */
const MOST_BYTES = 32 * 2 ** 20;
/** Bytes that dropped instances may have together before V8 is made to collect them. */
const MOST_DROPPED = 16 * 2 ** 20;
/** Bytes of an ArrayBuffer after which V8 begins to collect garbage: its limit for memory outside its heap. */
const COLLECTED_FOR = 64 * 2 ** 20;

let compiled: WebAssembly.Module | undefined;
let compiledWithSteps: WebAssembly.Module | undefined;
/** Weak references, as not every user of an instance gives it back. */
const inUse = new Set<WeakRef<CoreInstance>>();
/** Bytes of instances that were dropped, and that V8 has not collected yet. */
let dropped = 0;
const collected = new FinalizationRegistry<number>((bytes) => {
  dropped -= bytes;
});
/** Whether V8 was made to collect garbage, and has not ended. */
let isCollecting = false;
/** Collections that may still find what was dropped last: not the one that was under way then. */
let promising = 0;
/** Those that were made ahead and have never been used. */
const fresh: CoreInstance[] = [];
/** Instances that nobody uses, smallest first. */
const spare: CoreInstance[] = [];

/**
 * An instance with empty state, of which the caller sets all rules. Compiling takes a few milliseconds, once. A spare
 * instance is preferred: V8's garbage collector counts 22 MiB for each new one, although little of its memory is
 * touched, and what was touched of one that is dropped stays in use until V8 has collected all garbage.
 * @param isForOneRun whether it is given back soon: then it may be a large one
 * @param tellsSteps whether it has to tell of the steps of runs
 */
export function takeCore(isForOneRun: boolean, tellsSteps = false): CoreInstance {
  const known = takeSpare(isForOneRun, tellsSteps);
  known?.reset();
  const instance = known ?? (tellsSteps ? newTelling() : (fresh.pop() ?? newInstance()));
  inUse.add(instance.weak);
  return instance;
}

/**
 * Compiles the module and makes the first instances, so that the first runs don't have to wait for that: the chain has one, and
 * calls beside it have another.
 */
export function prepareCore(): void {
  if (compiled === undefined) fresh.push(newInstance(), newInstance());
}

/** Takes an instance back that nobody uses any more. */
export function giveBackCore(instance: CoreInstance): void {
  const { touched } = instance;
  const together = touchedTogether();
  inUse.delete(instance.weak);
  if (spare.length >= MOST_SPARE || (instance.isLarge && together > MOST_BYTES)) {
    drop(instance);
    return;
  }
  const at = spare.findIndex((other) => other.touched > touched);
  spare.splice(at < 0 ? spare.length : at, 0, instance);
}

/** Drops the instances that a node without long runs has no use for. */
export function dropSpareCores(): void {
  for (let i = spare.length; i-- > 0; ) if (spare[i]!.tellsSteps) spare.splice(i, 1);
  while (spare.length > MOST_QUIET || (spare.at(-1)?.isLarge ?? false)) spare.pop();
}

function takeSpare(isForOneRun: boolean, tellsSteps: boolean): CoreInstance | undefined {
  const fits = (instance: CoreInstance) => instance.tellsSteps === tellsSteps;
  const at = isForOneRun ? spare.findLastIndex(fits) : spare.findIndex(fits);
  if (at < 0 || (!isForOneRun && spare[at]!.isLarge)) return undefined;
  return spare.splice(at, 1)[0];
}

function newTelling(): CoreInstance {
  compiledWithSteps ??= load(STEPS_FILE);
  return new CoreInstance(compiledWithSteps, true);
}

function load(file: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL(file, import.meta.url)));
}

function newInstance(): CoreInstance {
  const isFirst = compiled === undefined;
  compiled ??= load(FILE);
  const instance = new CoreInstance(compiled, false);
  // Detaches an ArrayBuffer, as each growth does. V8 compiles reads of typed arrays without a look for that until it
  // happens for the first time, and then drops all such code at once: in the middle of a suite, were it not done now.
  if (isFirst) {
    instance.core.memory.grow(0);
    watchCollections();
  }
  return instance;
}

/** V8 doesn't know how much of a memory is touched, and would leave it for seconds. */
function drop(instance: CoreInstance): void {
  dropped += instance.touched;
  collected.register(instance, instance.touched);
  promising = 2;
  collectWhenMuch();
}

/**
 * Makes V8 begin to look for garbage, bit by bit, as it does when much memory is allocated outside its heap. Not while
 * it does so already: it would then stop everything for some milliseconds to get on with it.
 */
function collectWhenMuch(): void {
  if (isCollecting || promising === 0 || dropped <= MOST_DROPPED) return;
  isCollecting = true;
  promising--;
  // Its pages are never touched, so they take no memory of the machine.
  new ArrayBuffer(COLLECTED_FOR);
}

/** After each collection. */
function watchCollections(): void {
  const ends = new FinalizationRegistry(() => {
    ends.register({}, undefined);
    // After the others that hear of this collection.
    setImmediate(() => {
      isCollecting = false;
      collectWhenMuch();
    });
  });
  ends.register({}, undefined);
}

function touchedTogether(): number {
  let bytes = 0;
  for (const weak of inUse) {
    const instance = weak.deref();
    if (instance) bytes += instance.touched;
    else inUse.delete(weak);
  }
  for (const { touched } of spare) bytes += touched;
  return bytes;
}
