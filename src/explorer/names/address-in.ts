import { contractName } from '../abi/contracts.ts';
import type { Hex } from '../data/types.ts';
import { knownContracts } from './deployed.ts';
import { devAccounts } from './dev-accounts.ts';
import { FIXED } from './fixed.ts';
import { nameOf } from './name-of.ts';
import { knownTokens } from './tokens.ts';

/** The address that a user means: an address, "account 3" or 3, the name of a contract, or the symbol of a token. */
export function addressIn(typed: string): Hex | undefined {
  const text = typed.trim().toLowerCase();
  if (/^0x[\da-f]{40}$/.test(text)) return text as Hex;
  const [, number] = /^(?:account\s*#?\s*)?(\d{1,4})$/.exec(text) ?? [];
  if (number !== undefined) return devAccounts.value[Number(number)];
  const places = [...knownContracts(), ...(Object.keys(FIXED) as Hex[])];
  return (
    places.find((address) => nameOf(address)?.text.toLowerCase() === text) ??
    places.find((address) => contractName(address)?.toLowerCase() === text) ??
    knownTokens().find(({ symbol }) => symbol.toLowerCase() === text)?.address
  );
}
