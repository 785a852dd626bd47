import type { DevnetEVM } from '../devnet-evm.ts';
import type { Tracer } from '../engine.ts';
import type { OpcodeStep } from '../watched-opcodes.ts';
import { errorBeforeRun } from './step-error.ts';

/** How often an opcode was executed in a run, and its gas without that of the calls it made. */
export interface OpcodeGas {
  readonly opcode: string;
  count: number;
  gasUsed: bigint;
}

/** Counts opcodes and their gas, as the tracer of reth's `trace_transactionOpcodeGas` does. */
export class OpcodeGasRecorder implements Tracer {
  readonly #opcodes = new Map<string, OpcodeGas>();

  attach(evm: DevnetEVM): () => void {
    return evm.watch({
      step: (step) => {
        this.#count(step);
        return undefined;
      },
    });
  }

  /** In the order in which they were first executed. */
  get opcodes(): readonly OpcodeGas[] {
    return [...this.#opcodes.values()];
  }

  #count(step: OpcodeStep): void {
    const { cost } = step;
    const { name } = step.opcode;
    const entry = this.#opcodes.get(name) ?? { opcode: name, count: 0, gasUsed: 0n };
    this.#opcodes.set(name, entry);
    entry.count++;
    if (errorBeforeRun(step, cost) === undefined) entry.gasUsed += cost;
  }
}
