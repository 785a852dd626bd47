import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { failingStep } from '../format/failing-step.ts';
import { execute } from '../trace/execution.ts';

/**
 * Executes a transaction again where it was and keeps its steps, so that `devnet_step` and `devnet_steps` answer in a moment: up to
 * 2,097,152 of them, the first ones; `cut` says whether there were more. Counts of steps (opcodes), of `lines` of the source that
 * began, and of `calls`, internal functions included; the source files, which `devnet_source` answers by their place in `files`; and
 * where it failed, as `devnet_stackTrace` has it, with the step at which that was. Steps are kept for five minutes.
 * @returns an object
 */
export const devnet_execution = defineMethod({
  kind: 'read',
  computes: true,
  params: [hash32],
  handler: async (context, hash): Promise<unknown> => {
    const { execution, failure } = await execute(context, hash);
    const { history, lines, calls, sources } = execution;
    return {
      steps: execution.length,
      lines: lines.length,
      calls: calls.length,
      cut: history.isCut,
      files: sources.files.map(({ name }) => name),
      failure: failure ? { ...failure, step: failingStep(execution, failure) } : null,
    };
  },
});
