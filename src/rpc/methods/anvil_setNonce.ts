import { NEW_ACCOUNT } from '../../state/account.ts';
import { address, amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Sets an account's nonce; transactions that wait with a lower one are gone. A dev write (SPEC 3). */
export const anvil_setNonce = defineMethod({
  name: 'anvil_setNonce',
  params: [address, amount64],
  handler: async ({ controls, shapes, cause }, account, nonce) => {
    await controls.patch(cause, async (state) => {
      state.setAccount(account, { ...((await state.getAccount(account)) ?? NEW_ACCOUNT), nonce });
    });
    return shapes.done;
  },
});
