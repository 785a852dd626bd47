import type { Hardfork } from '../evm/hardfork.ts';
import { precompilesOf } from '../evm/precompiles.ts';
import type { SignatureOverrides } from '../evm/signature-overrides.ts';
import type { ExecutorRules } from './types.ts';

/** More than any gas limit pays for; init code may be twice as large. */
const MOST_CODE = 2 ** 30;

/** The rules of a hardfork from Cancun on. */
export function rulesOf(hardfork: Hardfork, signatures?: SignatureOverrides): ExecutorRules {
  if (!hardfork.has(4844)) throw new Error(`the executor has no rules for ${hardfork.name}`);
  return {
    prague: hardfork.atLeast('prague'),
    osaka: hardfork.atLeast('osaka'),
    maxCodeSize: Math.min(Number(hardfork.param('maxCodeSize')), MOST_CODE),
    maxBlobsPerTransaction: hardfork.has(7594) ? Number(hardfork.param('maxBlobsPerTx')) : 0,
    maxBlobGas: hardfork.blobs!.max,
    precompiles: precompilesOf(hardfork, signatures),
  };
}
