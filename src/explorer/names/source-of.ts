import { contractName } from '../abi/contracts.ts';
import type { Hex } from '../data/types.ts';
import { FIXED } from './fixed.ts';
import { tokenOf } from './tokens.ts';

/**
 * Whose ABI decodes what a contract is called with, says and fails with: its artifact's, or without one that of the
 * token standard which it follows.
 */
export function sourceOf(address: Hex | null | undefined): string | undefined {
  if (!address) return undefined;
  return contractName(address) ?? FIXED[address.toLowerCase()] ?? tokenOf(address)?.standard;
}
