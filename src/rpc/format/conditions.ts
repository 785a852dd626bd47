import type { Conditions, KnownAccount } from '../../chain/conditions.ts';
import { hex, quantity, word } from '../codec/hex.ts';

/** Formats conditions for the inclusion of a transaction, in the format that `eth_sendRawTransactionConditional` takes. */
export function formatConditions({ knownAccounts, ...ranges }: Conditions): Record<string, unknown> {
  const known = [...knownAccounts].map(([address, account]) => [address, formatAccount(account)]);
  return {
    knownAccounts: Object.fromEntries(known),
    ...Object.fromEntries(Object.entries(ranges).map(([name, value]) => [name, quantity(value)])),
  };
}

function formatAccount({ storageRoot, slots, balance, nonce, code }: KnownAccount): unknown {
  if (storageRoot) return hex(storageRoot);
  return {
    ...Object.fromEntries([...slots].map(([slot, value]) => [slot, word(value)])),
    ...(balance !== undefined && { balance: quantity(balance) }),
    ...(nonce !== undefined && { nonce: quantity(nonce) }),
    ...(code && { code: hex(code) }),
  };
}
