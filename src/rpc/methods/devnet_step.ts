import { findStep } from '../../debugger/find-step.ts';
import { step } from '../codec/step-search.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatMoment } from '../format/execution.ts';
import { executionOf } from '../trace/execution.ts';

/**
 * Returns one moment of a transaction's execution, immediately before an opcode: the source line; the calls that are in progress, with the
 * variables of functions if the compiler's stack layout is known (solc 0.5 and later without viaIR and optimizer); stack and memory; the
 * storage changes and logs so far, without those that were reverted; gas. The moment is the number of an opcode, `{ line }` or `{ call }`
 * with the number of a line or call that begins, or the result of a search from a step: `{ from, kind, back, breakpoints }` finds the next
 * step of a kind, or with `back` the previous one. Kinds are `opcode`, `line`, `over` (the next line, not inside functions that this line
 * calls), `out` (back in the caller of this function), `call`, `revert`, `sstore`, `log`, and `breakpoint` (a line in `breakpoints`, a list
 * of `{ file, line }`). The result has at most the innermost 200 calls, 16 KiB of memory, the newest 500 storage changes and the newest 100
 * logs.
 * @returns an object ([Step through a transaction](stack-traces.md#step-through-a-transaction) has its members), or null where there is no
 * such moment
 */
export const devnet_step = defineMethod({
  kind: 'read',
  computes: true,
  params: [hash32, step],
  handler: async (context, hash, ref): Promise<unknown> => {
    const execution = await executionOf(context, hash);
    const found = 'search' in ref ? findStep(execution, ref.search) : numbered(execution, ref);
    return found === undefined || found >= execution.length ? null : formatMoment(execution, found);
  },
});

function numbered(
  { lines, calls }: Awaited<ReturnType<typeof executionOf>>,
  { unit, index }: { readonly unit: 'opcode' | 'line' | 'call'; readonly index: number },
): number | undefined {
  if (unit === 'opcode') return index;
  return unit === 'line' ? lines[index] : calls[index]?.first;
}
