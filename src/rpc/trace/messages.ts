import type { BlockRef } from '../../chain/refs.ts';
import { MessageRecorder } from '../../engine/tracers/messages.ts';
import { DevnetError } from '../../errors.ts';
import type { Executable } from '../codec/executable.ts';
import type { RpcContext } from '../context.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Executes a transaction again where it was, or a call on a block's state, with all that a stack trace needs.
 * @throws DevnetError -32000 where there is no such transaction, and as `eth_call`
 */
export async function recordMessages(
  { chain, tracing }: Pick<RpcContext, 'chain' | 'tracing'>,
  executed: Executable,
  ref: BlockRef,
): Promise<MessageRecorder> {
  const recorder = new MessageRecorder();
  const trace = { tracer: recorder, result: () => recorder };
  if (!(executed instanceof Uint8Array)) return tracing.call(await blockAt(chain, ref), executed, trace);
  const place = chain.findTransaction(executed);
  if (!place) throw new DevnetError('server', { reason: 'transaction not found' });
  return tracing.transaction(place.block, place.index, trace);
}
