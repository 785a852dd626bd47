import { address, data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Sets an account's code; its storage stays. A dev write (SPEC 3). */
export const anvil_setCode = defineMethod({
  name: 'anvil_setCode',
  params: [address, data],
  handler: async ({ controls, shapes, cause }, account, code) => {
    await controls.patch(cause, (state) => state.setCode(account, code));
    return shapes.done;
  },
});
