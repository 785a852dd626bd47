import type { Step } from '../../evm/tracers/steps.ts';
import type { Executed } from '../../evm/types.ts';
import { hex, quantity } from '../codec/hex.ts';
import { fullWord, MemoryText, StackText, type StepText, StorageText } from './step-text.ts';

/** The fields besides the steps of `debug_traceTransaction` without a tracer. */
export function formatTotals(executed: Executed) {
  return {
    gas: Number(executed.gasUsed),
    failed: !executed.success,
    returnValue: executed.success || executed.failure?.revert ? hex(executed.returnData) : '0x',
  };
}

/**
 * Makes the formatter for the steps of one run, in the format of geth's struct logger.
 * @param refunds whether a step shows a refund of 0 too, as in Hardhat 3
 */
export function gethSteps(refunds: 'above 0' | 'always'): (step: Step) => StepText {
  const stacks = new StackText(quantity);
  const memories = new MemoryText('0x');
  const storages = new StorageText((word) => `0x${fullWord(word)}`);
  let returned: { readonly data: Uint8Array; readonly text: string } | undefined;
  return ({ pc, op, gas, gasCost, depth, error, stack, returnData, memory, storage, refund }) => {
    // A depth of 1 is the outermost frame.
    let head = `{"pc":${pc},"op":"${op}","gas":${Number(gas)},"gasCost":${Number(gasCost)},"depth":${depth}`;
    if (error !== undefined) head += `,"error":${JSON.stringify(error)}`;
    if (stack) head += `,"stack":${stacks.format(stack)}`;
    if (returnData) {
      if (returned?.data !== returnData)
        returned = { data: returnData, text: `,"returnData":"${hex(returnData)}"` };
      head += returned.text;
    }
    let tail = storage ? `,"storage":${storages.format(storage)}` : '';
    tail += refund > 0n || refunds === 'always' ? `,"refund":${Number(refund)}}` : '}';
    return memory ? { head: `${head},`, memory: memories.format(memory), tail } : { head, memory: '', tail };
  };
}
