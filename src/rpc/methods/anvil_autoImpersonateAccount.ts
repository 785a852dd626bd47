import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Whether every sender is impersonated whose key the node hasn't. */
export const anvil_autoImpersonateAccount = defineMethod({
  name: 'anvil_autoImpersonateAccount',
  kind: 'dev',
  params: [boolean],
  handler: ({ signers, shapes }, on) => {
    signers.impersonateAll(on);
    return shapes.done;
  },
});
