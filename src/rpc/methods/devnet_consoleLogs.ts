import { blockRef } from '../codec/block-ref.ts';
import { executable } from '../codec/executable.ts';
import { defineMethod } from '../define-method.ts';
import { recordMessages } from '../trace/messages.ts';

/**
 * Executes a transaction again where it was, or a call on a block's state, and answers what contracts printed with `console.log`, in
 * calls that were reverted, too. The block is that of a call; a transaction has its own.
 * @returns a list of texts
 */
export const devnet_consoleLogs = defineMethod({
  kind: 'read',
  computes: true,
  params: [executable, blockRef],
  handler: async (context, executed, ref) => (await recordMessages(context, executed, ref)).lines,
});
