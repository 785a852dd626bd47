import type { DevnetError } from '../../errors.ts';
import { callError, type Failed } from '../../execution/call-error.ts';
import { errorsIn } from '../../sources/contracts.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import type { RpcContext } from '../context.ts';

/**
 * Returns the errors of failed calls that are reported in a result rather than thrown, in the order of the calls; `undefined` for a call
 * that succeeded.
 */
export function callErrors(
  { contracts }: Pick<RpcContext, 'contracts'>,
  calls: readonly Failed[],
): Awaitable<readonly (DevnetError | undefined)[]> {
  const data = calls.map(({ failure, returnData }) => (failure?.revert ? returnData : undefined));
  return andThen(errorsIn(contracts, data), (custom) => calls.map((call, i) => callError(call, custom[i])));
}
