import { EMPTY_BYTES } from '../../state/account.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { CodeCounts, CountedFrame, RunCounts } from '../run-counts.ts';
import type { CallEnd, CallStart, RunListener, RunStep } from '../run-listener.ts';

interface Counting extends CodeCounts {
  readonly pcs: number[];
  readonly runs: number[];
  readonly gas: number[];
  /** index in these lists, by program counter */
  readonly at: Map<number, number>;
}

interface OpenFrame {
  readonly start: CallStart;
  readonly input: Uint8Array;
  code: Counting | undefined;
  lastPc: number;
  lastGas: bigint;
  firstGas: bigint;
  /** gas used by frames that this frame has called since its last opcode */
  calledGas: bigint;
}

/** Derives the counts that a listener wants from calls and steps, for engines and runs that don't count themselves. */
export function countingSteps(listener: RunListener): RunListener {
  const { counts, calls, steps } = listener;
  if (!counts) return listener;
  let counter = new StepCounter();
  return {
    ...(listener.refuse && { refuse: (reason) => listener.refuse!(reason) }),
    ...(listener.touches && { touches: listener.touches }),
    start: (run) => {
      counter = new StepCounter();
      listener.start(run);
    },
    calls: {
      begin: (call) => {
        counter.begin(call);
        calls?.begin(call);
      },
      endsUnpaid: () => calls?.endsUnpaid?.(),
      end: (end) => {
        calls?.end(end);
        const counted = counter.end(end);
        if (counted) counts(counted);
      },
      refuse: (call, error) => calls?.refuse(call, error),
      log: (log) => calls?.log(log),
      selfDestruct: (account, beneficiary, balance) => calls?.selfDestruct(account, beneficiary, balance),
    },
    steps: {
      step: (step) => {
        counter.step(step);
        return steps?.step(step);
      },
      ...(steps?.codeEnds && { codeEnds: (error) => steps.codeEnds!(error) }),
    },
  };
}

/** Counts the opcodes of one run, with the same results as src/core/evm/counts.ts. */
class StepCounter {
  readonly #open: OpenFrame[] = [];
  readonly #frames: CountedFrame[] = [];
  readonly #codes: Counting[] = [];
  /** codes other than init code, by their bytes as hexadecimal text */
  readonly #known = new Map<string, Counting>();

  begin(start: CallStart): void {
    this.#open.push({
      start,
      input: start.to ? new Uint8Array(start.input.subarray(0, 4)) : EMPTY_BYTES,
      code: undefined,
      lastPc: 0,
      lastGas: 0n,
      firstGas: 0n,
      calledGas: 0n,
    });
  }

  step(step: RunStep): void {
    const frame = this.#open.at(-1);
    if (!frame) return;
    const gas = step.gasLeft + (step.stateGas?.reservoir ?? 0n);
    if (frame.code) charge(frame, gas);
    else {
      frame.code = this.#codeOf(step.frame().code, frame.start.to === undefined);
      frame.firstGas = gas;
    }
    frame.lastPc = step.pc;
    frame.lastGas = gas;
    frame.calledGas = 0n;
    const { pcs, runs, gas: used, at } = frame.code;
    const known = at.get(step.pc);
    if (known !== undefined) runs[known]!++;
    else {
      at.set(step.pc, pcs.length);
      pcs.push(step.pc);
      runs.push(1);
      used.push(0);
    }
  }

  /** @returns the counts when the outermost frame ends */
  end({ gasUsed, error }: CallEnd): RunCounts | undefined {
    const frame = this.#open.pop();
    if (!frame) return undefined;
    const { code, start, input } = frame;
    if (code) {
      charge(frame, frame.firstGas - gasUsed);
      this.#frames.push({
        code,
        depth: this.#open.length,
        isCreation: start.to === undefined,
        selector: input.length < 4 ? undefined : Buffer.from(input).toString('hex'),
        hasInput: input.length > 0,
        gas: Number(gasUsed),
        failed: error !== undefined,
      });
      const caller = this.#open.at(-1);
      if (caller) caller.calledGas += gasUsed;
    }
    return this.#open.length === 0 ? { codes: this.#codes, frames: this.#frames } : undefined;
  }

  #codeOf(code: Uint8Array, isCreation: boolean): Counting {
    const key = isCreation ? undefined : Buffer.from(code).toString('hex');
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known) return known;
    const copy = new Uint8Array(code);
    const hash = isCreation ? undefined : Buffer.from(keccak256(copy)).toString('hex');
    const counting: Counting = { hash, code: copy, pcs: [], runs: [], gas: [], at: new Map() };
    this.#codes.push(counting);
    if (key !== undefined) this.#known.set(key, counting);
    return counting;
  }
}

/** Adds the gas of the opcode that ran last. @param gas the gas left after it */
function charge({ code, lastPc, lastGas, calledGas }: OpenFrame, gas: bigint): void {
  const { gas: used, at } = code!;
  used[at.get(lastPc)!]! += Number(lastGas - gas - calledGas);
}
