import type { Step } from '../../engine/tracers/steps.ts';
import type { Executed } from '../../protocol/types.ts';
import { hex, quantity } from '../codec/hex.ts';
import { fullWord, MemoryText, StackText, type StepText, StorageText } from './step-text.ts';

/** The fields besides the steps of `debug_traceTransaction` without a tracer. */
export function formatTotals(executed: Executed) {
  return {
    gas: Number(executed.gasUsed),
    failed: !executed.success,
    returnValue: executed.success || executed.failure?.revert ? hex(executed.returnData) : '0x',
    ...formatDimensions(executed, Number),
  };
}

/** What a run used of both dimensions of gas, and what was refunded, as Hardhat tells it; nothing without EIP-8037. */
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

/** What `stateGasTracer` answers, which execution-apis #852 proposes: both dimensions as the block counts them. */
export function formatStateGas({ gasUsed, maxUsedGas, counted, dimensions }: Executed) {
  return {
    gasUsed: quantity(gasUsed),
    executionGasUsed: quantity(counted?.execution ?? maxUsedGas),
    stateGasUsed: quantity(counted?.state ?? 0n),
    gasRefund: quantity(dimensions?.refund ?? maxUsedGas - gasUsed),
  };
}

/**
 * Makes the formatter for the steps of one run, in the format of geth's struct logger.
 * @param refunds `of the run`: with the opcode's own, where it isn't 0; `of the frame`: at each step that of its frame before the
 * opcode, as in Hardhat 3
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

/** Tells the refund of a step's frame, and of the calls that it made, before the step. Has to be given all steps, in order. */
function frameRefunds(): (step: Pick<Step, 'depth' | 'refundBefore'>) => bigint {
  /** by depth: that of the run when the frame began */
  const begins: bigint[] = [];
  let last = 0;
  return ({ depth, refundBefore }) => {
    if (depth > last) begins[depth] = refundBefore;
    last = depth;
    return refundBefore - (begins[depth] ?? 0n);
  };
}
