import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Switches the log of RPC calls on or off.
 * @returns null; true as Hardhat
 */
export const anvil_setLoggingEnabled = defineMethod({
  kind: 'dev',
  // It changes what is printed, not the chain.
  recorded: false,
  params: [boolean],
  handler: ({ instance, shapes }, on) => {
    instance.logs = on;
    return shapes.done;
  },
});
