import { NEW_ACCOUNT } from '../../state/account.ts';
import { address, slot } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Sets a storage slot. The account is made where there is none. A dev write (SPEC 3). */
export const anvil_setStorageAt = defineMethod({
  name: 'anvil_setStorageAt',
  params: [address, slot, slot],
  handler: async ({ controls, cause }, account, position, value) => {
    await controls.patch(cause, async (state) => {
      if (!(await state.getAccount(account))) state.setAccount(account, NEW_ACCOUNT);
      state.setStorage(account, position, value);
    });
    return true;
  },
});
