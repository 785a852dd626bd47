import { NEW_ACCOUNT } from '../../state/account.ts';
import { address, amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Adds an amount in wei to an account's balance.
 * @returns null; true as Hardhat
 */
export const anvil_addBalance = defineMethod({
  kind: 'dev',
  params: [address, amount],
  handler: async ({ controls, shapes, cause }, account, amount) => {
    await controls.patch(cause, async (state) => {
      const before = (await state.getAccount(account)) ?? NEW_ACCOUNT;
      state.setAccount(account, { ...before, balance: before.balance + amount });
    });
    return shapes.done;
  },
});
