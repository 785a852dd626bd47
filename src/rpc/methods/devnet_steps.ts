import { invalid, mapped } from '../codec/codec.ts';
import { hash32, uint32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatStep } from '../format/execution.ts';
import { executionOf } from '../trace/execution.ts';

const MAX = 1_000;

const pageSize = mapped(uint32, (value, path) =>
  value >= 1 && value <= MAX ? value : invalid(path, `1 to ${MAX} steps`, value),
);

/**
 * Returns a page of the opcodes that a transaction executed, from the given number on. Each has its position in the code (`pc`), its name,
 * the gas left in the call, the depth of calls including internal functions, and the source line (`file` is an index in `files` of
 * `devnet_execution`). The third parameter is the number of opcodes, at most 1,000.
 * @returns a list of at most 1,000 objects
 */
export const devnet_steps = defineMethod({
  kind: 'read',
  computes: true,
  params: [hash32, uint32, pageSize],
  handler: async (context, hash, from, count): Promise<unknown> => {
    const execution = await executionOf(context, hash);
    const length = Math.max(0, Math.min(count, execution.length - from));
    return Array.from({ length }, (_, i) => formatStep(execution, from + i));
  },
});
