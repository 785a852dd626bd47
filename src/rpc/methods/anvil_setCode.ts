import { address, data } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';

/** Sets an account's code; its storage stays. A dev write (SPEC 3). */
export const anvil_setCode = defineMethod({
  name: 'anvil_setCode',
  params: [address, data],
  handler: async ({ sequencer, shapes }, account, code) => {
    await sequencer.patch((state) => state.setCode(account, code));
    return shapes.done;
  },
});
