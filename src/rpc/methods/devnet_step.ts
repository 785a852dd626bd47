import { findStep } from '../../debugger/find-step.ts';
import { step } from '../codec/step-search.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatMoment } from '../format/execution.ts';
import { executionOf } from '../trace/execution.ts';

/**
 * A moment of a transaction's execution, before one of its opcodes: the line of the source and the calls that are under way, with the
 * variables of functions where the compiler's layout of the stack is known (solc 0.5 and later without viaIR and optimizer); stack,
 * memory, changes of storage and logs so far without what was reverted; gas. The moment is the number of an opcode, `{ line }` or
 * `{ call }`: the number of a line or call that begins; or the nearest one of a kind, `{ from, kind, back, breakpoints }`: from a
 * step on, later or earlier, the next `opcode`, `line`, `over` (a line outside of functions that it calls), `out` (in the function
 * that called this one), `call`, `revert`, `sstore`, `log`, or `breakpoint`, a line of `breakpoints` (`{ file, line }`). An answer
 * has the innermost 200 calls, 16 KiB of memory, and the newest 500 changes and 100 logs.
 * @returns an object ([Step through a transaction](stack-traces.md#step-through-a-transaction) has its members), or null where there is no such moment
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
