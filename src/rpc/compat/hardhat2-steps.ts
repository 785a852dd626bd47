import { bytesToUnprefixedHex } from '@ethereumjs/util';
import type { Step } from '../../evm/tracers/steps.ts';
import type { Executed } from '../../evm/types.ts';
import { memoryWords, StackWords } from '../format/steps.ts';

export const hardhat2Words = (): StackWords<string> => new StackWords(word);

export function formatTotalsAsHardhat2({ success, failure, gasUsed, returnData }: Executed) {
  const returned = success || failure?.revert ? bytesToUnprefixedHex(returnData) : '';
  // With `0x`, but an empty string when there is no value.
  return { failed: !success, gas: Number(gasUsed), returnValue: returned && `0x${returned}` };
}

/**
 * One step in Hardhat 2's format: words have 64 digits without `0x`, and every step contains the storage.
 * @param words must be the same object for all steps of a run
 */
export function formatStepAsHardhat2(step: Step, words: StackWords<string>) {
  const { memory, stack, storage, error } = step;
  return {
    // 1 for the outermost frame
    depth: step.depth,
    gas: Number(step.gas),
    gasCost: Number(step.gasCost),
    op: step.op,
    pc: step.pc,
    ...(memory && { memory: memoryWords(memory, bytesToUnprefixedHex) }),
    ...(stack && { stack: words.format(stack) }),
    ...(storage && {
      storage: Object.fromEntries([...storage].map(([slot, value]) => [word(slot), word(value)])),
    }),
    ...(error !== undefined && { error: { message: error } }),
  };
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
