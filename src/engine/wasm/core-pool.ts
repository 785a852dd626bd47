import { readFileSync } from 'node:fs';
import { CoreInstance } from './core.ts';

/** The module's file: beside the bundle, or where scripts/build-core.mjs puts it. */
const FILE = process.env.DEVNET_CORE ?? '../../../build/core.wasm';
/** The module that reports steps, see src/core/evm/steps.ts. It is loaded lazily by the first run that needs steps. */
const STEPS_FILE = process.env.DEVNET_CORE_STEPS ?? '../../../build/core-steps.wasm';

/** Maximum number of spare instances: as many as long runs use at a time. */
const MAX_SPARE = 8;
/** Number of spare instances that are kept when no long runs are in progress. */
const MAX_QUIET = 1;
/** A large instance is kept only if all instances of the process use no more than this many bytes. */
const MAX_BYTES = 32 * 2 ** 20;
/** When discarded instances hold more than this many bytes, V8 is made to collect garbage. */
const MAX_DROPPED = 16 * 2 ** 20;
/** Size in bytes of an ArrayBuffer that makes V8 start a garbage collection: its limit for memory outside the heap. */
const COLLECTED_FOR = 64 * 2 ** 20;

let compiled: WebAssembly.Module | undefined;
let compiledWithSteps: WebAssembly.Module | undefined;
/** Weak references, since not every user of an instance returns it. */
const inUse = new Set<WeakRef<CoreInstance>>();
/** Bytes of instances that were discarded but not yet collected by V8. */
let dropped = 0;
const collected = new FinalizationRegistry<number>((bytes) => {
  dropped -= bytes;
});
/** Whether a garbage collection was triggered and hasn't finished. */
let isCollecting = false;
/**
 * Number of collections that may still free the instances discarded last. A collection already in progress when they were discarded doesn't
 * count.
 */
let promising = 0;
/** Instances that were prepared in advance and never used. */
const fresh: CoreInstance[] = [];
/** Instances not in use, smallest first. */
const spare: CoreInstance[] = [];

/**
 * Returns an instance with empty state; the caller sets all rules. Compilation takes a few milliseconds, once. A spare instance is
 * preferred:
 * V8's garbage collector counts 22 MiB for each new instance, although little of its memory is touched, and the touched memory of a
 * discarded instance stays in use until V8 has collected it.
 * @param isForOneRun whether the instance will be returned soon: then it may be a large one
 * @param tellsSteps whether the instance has to report the steps of runs
 */
export function takeCore(isForOneRun: boolean, tellsSteps = false): CoreInstance {
  const known = takeSpare(isForOneRun, tellsSteps);
  known?.reset();
  const instance = known ?? (tellsSteps ? newTelling() : (fresh.pop() ?? newInstance()));
  inUse.add(instance.weak);
  return instance;
}

/**
 * Compiles the module and creates the first instances, so that the first runs don't have to wait: one for the chain, and one for calls that
 * run beside it.
 */
export function prepareCore(): void {
  if (compiled === undefined) fresh.push(newInstance(), newInstance());
}

/** Returns an instance that is no longer in use to the pool. */
export function giveBackCore(instance: CoreInstance): void {
  const { touched } = instance;
  const together = touchedTogether();
  inUse.delete(instance.weak);
  if (spare.length >= MAX_SPARE || (instance.isLarge && together > MAX_BYTES)) {
    drop(instance);
    return;
  }
  const at = spare.findIndex((other) => other.touched > touched);
  spare.splice(at < 0 ? spare.length : at, 0, instance);
}

/** Discards the instances that a node without long runs doesn't need. */
export function dropSpareCores(): void {
  for (let i = spare.length; i-- > 0; ) if (spare[i]!.tellsSteps) spare.splice(i, 1);
  while (spare.length > MAX_QUIET || (spare.at(-1)?.isLarge ?? false)) spare.pop();
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
  // Detaches an ArrayBuffer, as each growth of the memory does. Until the first detachment in a process, V8 compiles typed array reads
  // without a check for it, and at the first detachment discards all such code. Without this call that would happen in the middle of a test
  // suite.
  if (isFirst) {
    instance.core.memory.grow(0);
    watchCollections();
  }
  return instance;
}

/** Discards an instance. V8 doesn't know how much of its memory is touched, and without help wouldn't collect it for seconds. */
function drop(instance: CoreInstance): void {
  dropped += instance.touched;
  collected.register(instance, instance.touched);
  promising = 2;
  collectWhenMuch();
}

/**
 * Makes V8 start an incremental garbage collection, as it does when much memory is allocated outside its heap. Not while one is in
 * progress:
 * V8 would then stop the process for some milliseconds to complete it.
 */
function collectWhenMuch(): void {
  if (isCollecting || promising === 0 || dropped <= MAX_DROPPED) return;
  isCollecting = true;
  promising--;
  // The pages of this buffer are never touched, so they use no physical memory.
  new ArrayBuffer(COLLECTED_FOR);
}

/** Detects the end of each garbage collection. */
function watchCollections(): void {
  const ends = new FinalizationRegistry(() => {
    ends.register({}, undefined);
    // Runs after the other finalization callbacks of this collection.
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
