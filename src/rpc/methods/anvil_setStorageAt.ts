import { NEW_ACCOUNT } from '../../state/account.ts';
import { address, slot } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets a storage slot. Makes the account if there is none.
 * @returns true
 */
export const anvil_setStorageAt = defineMethod({
  kind: 'dev',
  params: [address, slot, slot],
  handler: async ({ controls, cause }, account, position, value) => {
    await controls.patch(cause, async (state) => {
      if (!(await state.getAccount(account))) state.setAccount(account, NEW_ACCOUNT);
      state.setStorage(account, position, value);
    });
    return true;
  },
});
