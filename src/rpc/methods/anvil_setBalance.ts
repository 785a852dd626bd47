import { NEW_ACCOUNT } from '../../state/account.ts';
import { address, amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets an account's balance, in wei.
 * @returns null; true as Hardhat
 */
export const anvil_setBalance = defineMethod({
  kind: 'dev',
  params: [address, amount],
  handler: async ({ controls, shapes, cause }, account, balance) => {
    await controls.patch(cause, async (state) => {
      state.setAccount(account, { ...((await state.getAccount(account)) ?? NEW_ACCOUNT), balance });
    });
    return shapes.done;
  },
});
