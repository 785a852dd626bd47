import { Address, bytesToHex, equalsBytes, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { parseAlloc } from '../../state/genesis.ts';
import type { TrieState } from '../../state/trie-state.ts';

/** The first difference of a state from the allocation that a fixture expects, as text. */
export function stateDifference(expected: unknown, state: TrieState): string {
  for (const [key, account] of parseAlloc(expected)) {
    const address = new Address(hexToBytes(key as PrefixedHexString));
    const found = state.getAccount(address);
    if (!found) return `expected the account ${key}, got none`;
    for (const field of ['balance', 'nonce'] as const) {
      const wanted = account[field] ?? 0n;
      if (found[field] !== wanted) return `${key}.${field}: expected ${wanted}, got ${found[field]}`;
    }
    if (!equalsBytes(state.getCode(address), account.code ?? new Uint8Array()))
      return `${key}.code: another one`;
    for (const [slot, value] of account.storage ?? []) {
      const got = state.getStorage(address, hexToBytes(slot as PrefixedHexString));
      if (!equalsBytes(got, value))
        return `${key}.storage.${slot}: expected ${bytesToHex(value)}, got ${bytesToHex(got)}`;
    }
  }
  return 'there are accounts or slots that it does not have';
}
