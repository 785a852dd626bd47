import { invalid, mapped } from '../codec/codec.ts';
import { hash32, uint32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatStep } from '../format/execution.ts';
import { executionOf } from '../trace/execution.ts';

const MOST = 1_000;

const pageSize = mapped(uint32, (value, path) =>
  value >= 1 && value <= MOST ? value : invalid(path, `1 to ${MOST} steps`, value),
);

/**
 * A page of the opcodes that a transaction executed, from the one with a number on: place in the code (`pc`), name, gas that was left in
 * the call, depth of calls with internal functions, and the source's line (`file` is the place in `files` of `devnet_execution`).
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
