import type { Step } from '../../engine/tracers/steps.ts';
import type { Executed } from '../../protocol/types.ts';
import { hex, quantity } from '../codec/hex.ts';
import { fullWord, MemoryText, StackText, type StepText, StorageText } from './step-text.ts';

/** The fields of `debug_traceTransaction` without a tracer, except for the steps. */
export function formatTotals(executed: Executed) {
  return {
    gas: Number(executed.gasUsed),
    failed: !executed.success,
    returnValue: executed.success || executed.failure?.revert ? hex(executed.returnData) : '0x',
    ...formatDimensions(executed, Number),
  };
}

/** The gas used in both dimensions of EIP-8037, and the refund, in Hardhat's format; empty without EIP-8037. */
export function formatDimensions<T>(
  { dimensions }: Pick<Executed, 'dimensions'>,
  format: (gas: bigint) => T,
) {
  if (!dimensions) return {};
  return {
    executionGasUsed: format(dimensions.execution),
    stateGasUsed: format(dimensions.state),
    gasRefund: format(dimensions.refund),
  };
}

/** The result of `stateGasTracer`, which execution-apis #852 proposes: the gas of both dimensions as the block counts it. */
export function formatStateGas({ gasUsed, maxUsedGas, counted, dimensions }: Executed) {
  return {
    gasUsed: quantity(gasUsed),
    executionGasUsed: quantity(counted?.execution ?? maxUsedGas),
    stateGasUsed: quantity(counted?.state ?? 0n),
    gasRefund: quantity(dimensions?.refund ?? maxUsedGas - gasUsed),
  };
}

/**
 * Creates the formatter for the steps of one execution, in the format of geth's struct logger.
 * @param refunds `of the run`: the refund of the whole execution after the opcode, omitted if 0. `of the frame`: at each step, the refund
 * of the step's frame before the opcode, as in Hardhat 3
 */
export function gethSteps(refunds: 'of the run' | 'of the frame'): (step: Step) => StepText {
  const stacks = new StackText(quantity);
  const memories = new MemoryText('0x');
  const storages = new StorageText((word) => `0x${fullWord(word)}`);
  let returned: { readonly data: Uint8Array; readonly text: string } | undefined;
  const refundOf = refunds === 'of the frame' ? frameRefunds() : ({ refund }: Step) => refund || undefined;
  return (step) => {
    const { pc, op, gas, gasCost, depth, error, stack, returnData, memory, storage, stateGas } = step;
    // A depth of 1 is the outermost frame.
    let head = `{"pc":${pc},"op":"${op}","gas":${Number(gas)},"gasCost":${Number(gasCost)},"depth":${depth}`;
    if (stateGas)
      head += `,"stateGasReservoir":${Number(stateGas.reservoir)},"stateGasCost":${Number(stateGas.cost)}`;
    if (error !== undefined) head += `,"error":${JSON.stringify(error)}`;
    if (stack) head += `,"stack":${stacks.format(stack)}`;
    if (returnData) {
      if (returned?.data !== returnData)
        returned = { data: returnData, text: `,"returnData":"${hex(returnData)}"` };
      head += returned.text;
    }
    let tail = storage ? `,"storage":${storages.format(storage)}` : '';
    const refund = refundOf(step);
    tail += refund === undefined ? '}' : `,"refund":${Number(refund)}}`;
    return memory ? { head: `${head},`, memory: memories.format(memory), tail } : { head, memory: '', tail };
  };
}

/**
 * Returns a function that computes the refund before a step of the step's frame and of the calls that it made. It must be given all steps,
 * in order.
 */
function frameRefunds(): (step: Pick<Step, 'depth' | 'refundBefore'>) => bigint {
  /** by depth: the execution's refund when the frame started */
  const begins: bigint[] = [];
  let last = 0;
  return ({ depth, refundBefore }) => {
    if (depth > last) begins[depth] = refundBefore;
    last = depth;
    return refundBefore - (begins[depth] ?? 0n);
  };
}
