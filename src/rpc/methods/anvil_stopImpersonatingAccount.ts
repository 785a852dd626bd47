import { address } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';

/** Ends `anvil_impersonateAccount`. */
export const anvil_stopImpersonatingAccount = defineMethod({
  name: 'anvil_stopImpersonatingAccount',
  params: [address],
  handler: ({ signers, shapes }, account) => {
    signers.stopImpersonating(account);
    return shapes.done;
  },
});
