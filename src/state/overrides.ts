import { createAddressFromString, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { NEW_ACCOUNT } from './account.ts';
import type { Overlay } from './overlay.ts';

/** One account of the state override set of `eth_call` and `eth_simulateV1`. Only what is named is replaced. */
export interface AccountOverride {
  /** wei */
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  /** The whole storage, by slot (`0x` hex of 32 bytes). Not together with `stateDiff`; the codec refuses that. */
  readonly state?: ReadonlyMap<string, Uint8Array>;
  /** Single slots, by slot (`0x` hex of 32 bytes) */
  readonly stateDiff?: ReadonlyMap<string, Uint8Array>;
}

/**
 * Writes overrides into the overlay; an account that doesn't exist is made, as in geth. Moved precompiles are not
 * state: see the EVM's side.
 * @param overrides by `0x` address
 */
export async function applyOverrides(
  overlay: Overlay,
  overrides: ReadonlyMap<string, AccountOverride>,
): Promise<void> {
  for (const [key, { balance, nonce, code, state, stateDiff }] of overrides) {
    // An override that names nothing must not make an empty account.
    if ((balance ?? nonce ?? code ?? state ?? stateDiff) === undefined) continue;
    const address = createAddressFromString(key);
    const account = (await overlay.getAccount(address)) ?? NEW_ACCOUNT;
    overlay.setAccount(address, {
      ...account,
      balance: balance ?? account.balance,
      nonce: nonce ?? account.nonce,
    });
    if (code !== undefined) await overlay.setCode(address, code);
    if (state !== undefined) overlay.clearStorage(address);
    for (const [slot, value] of state ?? stateDiff ?? [])
      overlay.setStorage(address, hexToBytes(slot as PrefixedHexString), value);
  }
}
