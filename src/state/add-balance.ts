import type { Address } from '@ethereumjs/util';
import { MAX_BALANCE, NEW_ACCOUNT } from './account.ts';
import type { Overlay } from './overlay.ts';

/**
 * Adds wei to an account's balance; creates a missing account. If the balance would exceed 256 bits, the wei are lost, as in the
 * core. Only a balance that a dev method has set can be that high, and no specification covers this case.
 */
export async function addBalance(state: Overlay, address: Address, wei: bigint): Promise<void> {
  const account = (await state.getAccount(address)) ?? NEW_ACCOUNT;
  if (account.balance + wei > MAX_BALANCE) return;
  state.setAccount(address, { ...account, balance: account.balance + wei });
}
