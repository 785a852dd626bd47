import { contractName } from '../abi/contracts.ts';
import type { Hex } from '../data/types.ts';
import { FIXED } from './fixed.ts';
import { tokenOf } from './tokens.ts';

/**
 * The source of the ABI that decodes a contract's calls, logs and errors: the contract's artifact, otherwise the
 * token standard that the contract follows.
 */
export function sourceOf(address: Hex | null | undefined): string | undefined {
  if (!address) return undefined;
  return contractName(address) ?? FIXED[address.toLowerCase()] ?? tokenOf(address)?.standard;
}
