import { NEW_ACCOUNT } from '../../state/account.ts';
import { address, amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets an account's nonce. Waiting transactions with a lower nonce are dropped.
 * @returns null; true as Hardhat
 */
export const anvil_setNonce = defineMethod({
  kind: 'dev',
  params: [address, amount64],
  handler: async ({ controls, shapes, cause }, account, nonce) => {
    await controls.patch(cause, async (state) => {
      state.setAccount(account, { ...((await state.getAccount(account)) ?? NEW_ACCOUNT), nonce });
    });
    return shapes.done;
  },
});
