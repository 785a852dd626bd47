import { address, data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets an account's code. Its storage stays.
 * @returns null; true as Hardhat
 */
export const anvil_setCode = defineMethod({
  kind: 'dev',
  params: [address, data],
  handler: async ({ controls, shapes, cause }, account, code) => {
    await controls.patch(cause, (state) => state.setCode(account, code));
    return shapes.done;
  },
});
