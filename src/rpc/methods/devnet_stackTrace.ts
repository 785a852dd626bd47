import { blockRef } from '../codec/block-ref.ts';
import { executable } from '../codec/executable.ts';
import { defineMethod } from '../define-method.ts';
import { recordMessages } from '../trace/messages.ts';

/**
 * Executes a transaction again where it was, or a call on a block's state, and tells where in the Solidity source it failed. The
 * sources are those of the build infos in the folder of `--artifacts`, and of `hardhat_addCompilationResult`. The frames, and what
 * their members mean, are in [Solidity stack traces](stack-traces.md). The block is that of a call; a transaction has its own.
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
