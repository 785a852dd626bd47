import { bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { BlockRef } from '../../chain/refs.ts';
import type { Tracer } from '../../engine/engine.ts';
import { type Frame, FrameRecorder } from '../../engine/tracers/frames.ts';
import { MessageRecorder, type TracedMessage } from '../../engine/tracers/messages.ts';
import type { DevnetError } from '../../errors.ts';
import { precompileSentence } from '../../stack-trace/precompile.ts';
import type { StackTrace } from '../../stack-trace/stack-trace.ts';
import { blockRef } from '../codec/block-ref.ts';
import { type Executable, executable } from '../codec/executable.ts';
import type { RpcContext } from '../context.ts';
import { recordWith } from '../trace/messages.ts';

/** A failed request, from which the executed call can be derived. */
export interface Failure {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Methods that execute the transaction object in their first parameter -> the block if the second parameter is absent. */
const EXECUTING: ReadonlyMap<string, BlockRef> = new Map([
  ['eth_call', { tag: 'latest' }],
  ['eth_estimateGas', { tag: 'pending' }],
  ['eth_createAccessList', { tag: 'pending' }],
  ['eth_sendTransaction', { tag: 'pending' }],
]);

/**
 * Returns where in the source a call or a sent transaction failed, by executing it again.
 * @param error the error of the request: with the hash if the transaction was mined, else with the revert data
 * @returns `undefined` if the project has no build info, or if the location can't be found
 */
export async function failureTrace(
  context: Pick<RpcContext, 'chain' | 'pool' | 'tracing' | 'stackTraces'>,
  error: Pick<DevnetError, 'data' | 'transaction'>,
  failure: Failure | undefined,
): Promise<StackTrace | undefined> {
  if (!context.stackTraces.mayKnow) return undefined;
  try {
    const recorder = new MessageRecorder();
    const root = await failed(recorder, context, error, failure);
    return root && (await context.stackTraces.trace(root));
  } catch {
    // The error is then reported without its location.
    return undefined;
  }
}

/**
 * Returns Hardhat's message for a call or a sent transaction in which a precompile failed, by executing it again.
 * @returns `undefined` if something else failed, or if the cause can't be found
 */
export async function failedPrecompile(
  context: Pick<RpcContext, 'chain' | 'pool' | 'tracing'>,
  error: Pick<DevnetError, 'data' | 'transaction'>,
  failure: Failure | undefined,
): Promise<string | undefined> {
  try {
    // Only calls are recorded: listening to each step would be slow for a call that used up its gas.
    const root = await failed(new FrameRecorder(), context, error, failure);
    return root && precompileSentence(root);
  } catch {
    // The error is then reported without this message.
    return undefined;
  }
}

/**
 * Executes a failed call or transaction again, and returns its outermost call.
 * @returns `undefined` if the executed call isn't known, or doesn't fail any more
 */
async function failed<R extends Frame | TracedMessage>(
  recorder: Tracer & { readonly root: R | undefined },
  context: Pick<RpcContext, 'chain' | 'pool' | 'tracing'>,
  error: Pick<DevnetError, 'data' | 'transaction'>,
  failure: Failure | undefined,
): Promise<R | undefined> {
  const executed = executedBy(error, failure);
  if (!executed) return undefined;
  const { root } = await recordWith(recorder, context, executed[0], executed[1]);
  if (root?.error === undefined) return undefined;
  // The state may have changed since the failure.
  const isOther =
    typeof error.data === 'string' &&
    error.transaction === undefined &&
    bytesToHex(root.output) !== error.data;
  return isOther ? undefined : root;
}

function executedBy(
  { transaction }: Pick<DevnetError, 'transaction'>,
  failure: Failure | undefined,
): readonly [Executable, BlockRef] | undefined {
  const latest: BlockRef = { tag: 'latest' };
  if (transaction !== undefined) return [hexToBytes(transaction as PrefixedHexString), latest];
  const at = failure && EXECUTING.get(failure.method);
  // Calls with overrides aren't executed again.
  if (!at || (failure.params[2] ?? undefined) !== undefined) return undefined;
  const [request, block] = failure.params;
  try {
    return [
      executable.decode(request, 'params[0]'),
      block == null ? at : blockRef.decode(block, 'params[1]'),
    ];
  } catch {
    return undefined;
  }
}
