import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { failingStep } from '../format/failing-step.ts';
import { execute } from '../trace/execution.ts';

/**
 * Executes a transaction again in its block and keeps its steps for five minutes, so that `devnet_step` and `devnet_steps` answer at once.
 * At most the first 2,097,152 steps are kept; `cut` says whether there were more. `steps` counts the opcodes, `lines` the source lines that
 * began, `calls` the calls, including those of internal functions. `files` lists the source files: `devnet_source` takes an index of this
 * list. `failure` says where the transaction failed, as `devnet_stackTrace` does, with the number of the step.
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
