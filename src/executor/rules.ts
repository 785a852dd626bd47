import type { Hardfork } from '../evm/hardfork.ts';
import { precompilesOf } from '../evm/precompiles.ts';
import type { ExecutorRules } from './types.ts';

/** The rules of a hardfork from Cancun on. */
export function rulesOf(hardfork: Hardfork): ExecutorRules {
  if (!hardfork.has(4844)) throw new Error(`the executor has no rules for ${hardfork.name}`);
  return {
    prague: hardfork.atLeast('prague'),
    osaka: hardfork.atLeast('osaka'),
    maxCodeSize: Number(hardfork.param('maxCodeSize')),
    maxBlobsPerTransaction: hardfork.has(7594) ? Number(hardfork.param('maxBlobsPerTx')) : 0,
    maxBlobGas: hardfork.blobs!.max,
    precompiles: precompilesOf(hardfork),
  };
}
