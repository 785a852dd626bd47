import { bytesToUnprefixedHex } from '@ethereumjs/util';
import type { Step } from '../../engine/tracers/steps.ts';
import type { Executed } from '../../protocol/types.ts';
import { fullWord, MemoryText, StackText, type StepText, StorageText } from '../format/step-text.ts';

export function formatTotalsAsHardhat2({ success, failure, gasUsed, returnData }: Executed) {
  const returned = success || failure?.revert ? bytesToUnprefixedHex(returnData) : '';
  // The value starts with `0x`; without a value it is an empty string.
  return { failed: !success, gas: Number(gasUsed), returnValue: returned && `0x${returned}` };
}

/**
 * Creates the formatter for the steps of one execution, in Hardhat 2's format: words have 64 digits without `0x`, and every step contains
 * the storage.
 */
export function hardhat2Steps(): (step: Step) => StepText {
  const stacks = new StackText(fullWord);
  const memories = new MemoryText('');
  const storages = new StorageText(fullWord);
  return ({ depth, gas, gasCost, op, pc, memory, stack, storage, error }) => {
    // A depth of 1 is the outermost frame.
    const head = `{"depth":${depth},"gas":${Number(gas)},"gasCost":${Number(gasCost)},"op":"${op}","pc":${pc}`;
    let tail = stack ? `,"stack":${stacks.format(stack)}` : '';
    if (storage) tail += `,"storage":${storages.format(storage)}`;
    tail += error === undefined ? '}' : `,"error":${JSON.stringify({ message: error })}}`;
    return memory ? { head: `${head},`, memory: memories.format(memory), tail } : { head, memory: '', tail };
  };
}
