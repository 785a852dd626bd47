import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Writes the accounts of a dump in anvil's format (see `anvil_dumpState`) into the chain's state.
 * @returns true
 */
export const anvil_loadState = defineMethod({
  kind: 'dev',
  params: [data],
  handler: async (context, bytes) => {
    await context.loadDump(context.cause, bytes);
    return true;
  },
});
