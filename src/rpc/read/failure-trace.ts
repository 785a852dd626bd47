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

/** A failed call, as far as it tells what was executed. */
export interface Failure {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Methods that execute the transaction object in their first parameter -> where, when they don't say it. */
const EXECUTING: ReadonlyMap<string, BlockRef> = new Map([
  ['eth_call', { tag: 'latest' }],
  ['eth_estimateGas', { tag: 'pending' }],
  ['eth_createAccessList', { tag: 'pending' }],
  ['eth_sendTransaction', { tag: 'pending' }],
]);

/**
 * Where in the source a call, or a transaction that was sent, has failed. It is executed once more.
 * @param error what it was answered: with the hash of a transaction that was mined, else with the data of a revert
 * @returns `undefined` where there is no build info of the project, and where that isn't known
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
    // The failure is told without.
    return undefined;
  }
}

/**
 * Hardhat's sentence for a call, or a transaction that was sent, in which a precompile failed. It is executed once more.
 * @returns `undefined` where something else has failed, and where that isn't known
 */
export async function failedPrecompile(
  context: Pick<RpcContext, 'chain' | 'pool' | 'tracing'>,
  error: Pick<DevnetError, 'data' | 'transaction'>,
  failure: Failure | undefined,
): Promise<string | undefined> {
  try {
    // The calls alone: of each step of a call that used up its gas nobody needs to hear.
    const root = await failed(new FrameRecorder(), context, error, failure);
    return root && precompileSentence(root);
  } catch {
    // The failure is told without.
    return undefined;
  }
}

/**
 * The outermost call of what failed, executed once more.
 * @returns `undefined` where that isn't known, or doesn't fail any more
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
  // The state may have changed meanwhile.
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
  // Overrides are left to who gives them.
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
