import { blockRef } from '../codec/block-ref.ts';
import { executable } from '../codec/executable.ts';
import { defineMethod } from '../define-method.ts';
import { recordMessages } from '../trace/messages.ts';

/**
 * Returns what contracts print with `console.log`, also in calls that are reverted. Executes a transaction again in its block, or runs a
 * call on the state of the block that is the second parameter; for a transaction that parameter is ignored.
 * @returns a list of texts
 */
export const devnet_consoleLogs = defineMethod({
  kind: 'read',
  computes: true,
  params: [executable, blockRef],
  handler: async (context, executed, ref) => (await recordMessages(context, executed, ref)).lines,
});
