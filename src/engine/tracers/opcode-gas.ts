import type { Tracer } from '../engine.ts';
import type { RunListener, RunStep, StepListener } from '../run-listener.ts';
import { errorBeforeRun } from './step-error.ts';

/** How often an opcode was executed in a run, and its gas without the gas of the calls it made. */
export interface OpcodeGas {
  readonly opcode: string;
  count: number;
  gasUsed: bigint;
}

/** Counts opcodes and their gas, as the tracer of reth's `trace_transactionOpcodeGas` does. */
export class OpcodeGasRecorder implements Tracer, RunListener {
  readonly listener = this;
  readonly #opcodes = new Map<string, OpcodeGas>();

  start(): void {
    this.#opcodes.clear();
  }

  readonly steps: StepListener = {
    step: (step) => {
      if (!step.isBehindCode) this.#count(step);
      return undefined;
    },
  };

  /** The opcodes in the order of their first execution. */
  get opcodes(): readonly OpcodeGas[] {
    return [...this.#opcodes.values()];
  }

  #count(step: RunStep): void {
    const { name } = step;
    const entry = this.#opcodes.get(name) ?? { opcode: name, count: 0, gasUsed: 0n };
    this.#opcodes.set(name, entry);
    entry.count++;
    if (errorBeforeRun(step) === undefined) entry.gasUsed += step.cost;
  }
}
