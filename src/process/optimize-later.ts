import type { Clock } from '../clock.ts';
import { measureWork } from './main-thread-work.ts';
import { ownValue, setFlag as setFlagOfV8, type V8Flag } from './v8-flags.ts';

/** V8 of Node 20. Node 22 and 24 optimize late by default, and have other flags. */
const V8 = /^11\.3\./;
/** Bytes of bytecode that a function runs before V8 considers whether to optimize it, once the first requests are over. */
const BUDGET = ownValue('interrupt-budget');
/** The same for the first requests. */
const FIRST_BUDGET = 4 * BUDGET;
/** The same for a function in WebAssembly, in bytes of its code. The default is 1.8 million in Node 20, 13 million in Node 22. */
const WASM_BUDGET = 9_000_000;
/** Busy time of the main thread after which the first requests are over, milliseconds. */
const FIRST_WORK = 150;
/** Milliseconds between two checks of this. */
const LOOK = 100;

export interface OptimizeLaterDeps {
  readonly wall: Pick<Clock, 'after'>;
  /** version of V8; default: that of this process */
  readonly version?: string;
  readonly setFlag?: (name: V8Flag, value: number) => void;
  /** returns how long the main thread has been busy, milliseconds; default: Node's measurement */
  readonly work?: () => number;
}

/**
 * Makes V8 optimize functions later than by default, until the process has answered its first thousand requests or so. V8 optimizes in its
 * own threads; on a machine with few processors, these slow down the main thread and the client. A short test suite ends before optimized
 * code pays off: without it, its requests take a tenth less time.
 *
 * Must be called before the core is compiled: V8 reads the budget for WebAssembly only then.
 */
export function optimizeLater({
  wall,
  version = process.versions.v8,
  setFlag = setFlagOfV8,
  work = measureWork(),
}: OptimizeLaterDeps): void {
  if (!V8.test(version)) return;
  setFlag('wasm-tiering-budget', WASM_BUDGET);
  setFlag('interrupt-budget', FIRST_BUDGET);
  const look = () => {
    if (work() >= FIRST_WORK) setFlag('interrupt-budget', BUDGET);
    else wall.after(LOOK, look, { keepsProcess: false });
  };
  look();
}
