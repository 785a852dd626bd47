import type { Address } from '@ethereumjs/util';
import { MAX_BALANCE, NEW_ACCOUNT } from './account.ts';
import type { Overlay } from './overlay.ts';

/**
 * Creates the account when it is missing. Wei that would bring the balance above 256 bits are lost, as in the executor's
 * core: only a balance that a dev method has set comes near, and no specification says what happens then.
 */
export async function addBalance(state: Overlay, address: Address, wei: bigint): Promise<void> {
  const account = (await state.getAccount(address)) ?? NEW_ACCOUNT;
  if (account.balance + wei > MAX_BALANCE) return;
  state.setAccount(address, { ...account, balance: account.balance + wei });
}
