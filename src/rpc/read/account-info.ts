import type { Address } from '@ethereumjs/util';
import { NEW_ACCOUNT } from '../../state/account.ts';
import type { StateView } from '../../state/view.ts';
import { hex, quantity } from '../codec/hex.ts';

/** Returns an account's balance, nonce and code; those of an empty account if there is none. */
export async function accountInfo(state: StateView, account: Address) {
  const { balance, nonce } = (await state.getAccount(account)) ?? NEW_ACCOUNT;
  return { balance: quantity(balance), nonce: quantity(nonce), code: hex(await state.getCode(account)) };
}
