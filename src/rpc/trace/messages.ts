import type { BlockRef } from '../../chain/refs.ts';
import type { Tracer } from '../../engine/engine.ts';
import { MessageRecorder } from '../../engine/tracers/messages.ts';
import type { Executable } from '../codec/executable.ts';
import type { RpcContext } from '../context.ts';
import { blockAt } from '../read/block-at.ts';
import { executedPlace } from '../read/executed-place.ts';

type Place = Pick<RpcContext, 'chain' | 'pool' | 'tracing'>;

/**
 * Executes a transaction again in its block, or runs a call on a block's state, and records everything that a stack trace needs.
 * @throws DevnetError like {@link recordWith}
 */
export function recordMessages(
  context: Place,
  executed: Executable,
  ref: BlockRef,
): Promise<MessageRecorder> {
  return recordWith(new MessageRecorder(), context, executed, ref);
}

/**
 * Executes a transaction again in its block, or runs a call on a block's state, with any tracer.
 * @throws DevnetError like {@link executedPlace}, and like `eth_call`
 */
export async function recordWith<T extends Tracer>(
  tracer: T,
  context: Place,
  executed: Executable,
  ref: BlockRef,
): Promise<T> {
  const { chain, tracing } = context;
  const trace = { tracer, result: () => tracer };
  if (!(executed instanceof Uint8Array)) return tracing.call(await blockAt(chain, ref), executed, trace);
  const place = executedPlace(context, executed);
  return tracing.transaction(place.block, place.index, trace);
}
