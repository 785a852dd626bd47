import { blockRef } from '../codec/block-ref.ts';
import { executable } from '../codec/executable.ts';
import { defineMethod } from '../define-method.ts';
import { recordMessages } from '../trace/messages.ts';

/**
 * Returns where in the Solidity source a transaction or a call failed. Executes the transaction again in its block, or runs the call on the
 * state of the block that is the second parameter; for a transaction that parameter is ignored. The sources are those of the build infos in
 * the folder of `--artifacts`, and of `hardhat_addCompilationResult`. [Solidity stack traces](stack-traces.md) explains the frames and
 * their fields.
 * @returns `{ message, frames }` with the outermost call first and the failure last, or null where nothing failed
 */
export const devnet_stackTrace = defineMethod({
  kind: 'read',
  computes: true,
  params: [executable, blockRef],
  handler: async (context, executed, ref) => {
    const { root } = await recordMessages(context, executed, ref);
    if (root?.error === undefined) return null;
    return (await context.stackTraces.trace(root)) ?? null;
  },
});
