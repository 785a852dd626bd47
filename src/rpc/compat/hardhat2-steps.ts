import { bytesToUnprefixedHex } from '@ethereumjs/util';
import type { Step } from '../../evm/tracers/steps.ts';
import type { Executed } from '../../evm/types.ts';
import { StackWords } from '../format/steps.ts';

/** One step in Hardhat 2's format: words have 64 digits without `0x`, and every step contains the storage. */
export interface Hardhat2Step {
  /** 1 for the outermost frame */
  depth: number;
  gas: number;
  gasCost: number;
  op: string;
  pc: number;
  memory?: string[];
  /** bottom first */
  stack?: string[];
  storage?: Record<string, string>;
  error?: { message: string };
}

export interface Hardhat2Totals {
  failed: boolean;
  gas: number;
  /** with `0x`, but an empty string when there is no value */
  returnValue: string;
}

export const hardhat2Words = (): StackWords<string> => new StackWords(word);

export function formatTotalsAsHardhat2({ success, failure, gasUsed, returnData }: Executed): Hardhat2Totals {
  const returned = success || failure?.revert ? bytesToUnprefixedHex(returnData) : '';
  return { failed: !success, gas: Number(gasUsed), returnValue: returned && `0x${returned}` };
}

/** @param words must be the same object for all steps of a run */
export function formatStepAsHardhat2(step: Step, words: StackWords<string>): Hardhat2Step {
  const { memory, stack, storage, error } = step;
  return {
    depth: step.depth,
    gas: Number(step.gas),
    gasCost: Number(step.gasCost),
    op: step.op,
    pc: step.pc,
    ...(memory && { memory: bytesToUnprefixedHex(memory).match(/.{64}/g) ?? [] }),
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
