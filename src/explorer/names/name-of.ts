import { abiCode, contractName } from '../abi/contracts.ts';
import type { Hex } from '../data/types.ts';
import { accountIndex, coinbase } from './dev-accounts.ts';
import { FIXED } from './fixed.ts';
import { knownToken, tokenOf } from './tokens.ts';

export interface Name {
  readonly text: string;
  /** index of a dev account */
  readonly index?: number;
}

/**
 * The name of an address: "account 3" for a dev account, the name of a well-known address, or the name of a contract's artifact
 * with its token's symbol. `undefined` for other addresses.
 */
export function nameOf(address: Hex): Name | undefined {
  const key = address.toLowerCase();
  const index = accountIndex(key);
  if (index !== undefined) return { text: `account ${index}`, index };
  const fixed = FIXED[key];
  if (fixed) return { text: fixed };
  const contract = contractName(address);
  // Two tokens may have the same artifact: the symbol tells them apart.
  const symbol = (contract ? tokenOf(address) : knownToken(address))?.symbol;
  if (contract && symbol && symbol.toLowerCase() !== contract.toLowerCase())
    return { text: `${contract} (${symbol})` };
  if (contract || symbol) return { text: contract || symbol! };
  return key === coinbase.value ? { text: 'fee recipient' } : undefined;
}

const checksums = new Map<string, Hex>();
const MAX_CHECKSUMS = 5_000;

/** An address with the checksum of EIP-55; without it until the module that computes it is loaded. */
export function checksummed(address: Hex): Hex {
  const known = checksums.get(address);
  if (known) return known;
  const code = abiCode.value;
  if (!code) return address;
  const made = code.getAddress(address);
  if (checksums.size >= MAX_CHECKSUMS) checksums.clear();
  checksums.set(address, made);
  return made;
}
