import { equalsBytes } from '@ethereumjs/util';
import type { BlockRef, ChainReader } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import { endingWith, orElse } from '../../state/view.ts';
import { type Codec, isObject } from '../codec/codec.ts';
import { hex, quantity, word } from '../codec/hex.ts';
import { slot } from '../codec/values.ts';
import { contextWith, type RpcContext } from '../context.ts';
import type { RpcMethod } from '../define-method.ts';
import type { ForkContext } from './context.ts';
import { ForkReader, OnRemoteChain, UnknownTransaction } from './reader.ts';
import { sharesBlock, sharesTransaction, withoutEarliest } from './shared.ts';

type ReadMethod = RpcMethod & { readonly kind: 'read' };

interface Chains {
  readonly fork: ForkContext;
  readonly chain: ChainReader;
  /** hash of a block that is known to be on both chains */
  readonly shared?: Uint8Array | undefined;
}

/**
 * Wraps methods for a chain that may be forked: a call for data that only the other chain has is forwarded to that chain's node. On a chain
 * that isn't forked, the methods are unchanged.
 */
export function overFork(methods: readonly RpcMethod[]): readonly RpcMethod[] {
  return methods.map((method) => {
    if (method.kind !== 'read' || !method.forkable) return method;
    return {
      ...method,
      call: (context, params, held) =>
        context.fork
          ? callOver(context.fork, method, context, params, held)
          : method.call(context, params, held),
    };
  });
}

/** Synchronous if the method is, for data that is on this chain. */
function callOver(
  fork: ForkContext,
  method: ReadMethod,
  context: RpcContext,
  params: readonly unknown[],
  held: unknown,
): unknown {
  return endingWith(expecting(fork, params[0]), () => answerOver(fork, method, context, { params, held }));
}

function answerOver(
  fork: ForkContext,
  method: ReadMethod,
  context: RpcContext,
  call: { readonly params: readonly unknown[]; readonly held: unknown },
  missing: ReadonlySet<string> = new Set(),
): unknown {
  const { chain } = context;
  const { params, held } = call;
  const reader = new ForkReader({ missing }, { chain, fork });
  return orElse<unknown>(
    () => method.call(contextWith(context, { chain: reader }), params, held),
    async (error) => {
      if (error instanceof OnRemoteChain)
        return askOther(method, { fork, chain, shared: error.hash }, params);
      if (!(error instanceof UnknownTransaction)) throw error;
      if (await sharesTransaction(fork, error.hash)) return askOther(method, { fork, chain }, params);
      // The method itself decides what to answer if there is no such transaction.
      return answerOver(fork, method, context, call, new Set([...missing, error.hash]));
    },
  );
}

/** Announces the call that a parameter describes, if it is a call with data. */
function expecting(fork: ForkContext, param: unknown): Disposable | undefined {
  if (!isObject(param) || typeof param.to !== 'string') return undefined;
  const { from, to, data = param.input } = param;
  if (typeof data !== 'string' || data.length <= 2) return undefined;
  return fork.expecting({ to, data, ...(typeof from === 'string' && { from }) });
}

async function askOther(
  { name, codecs = [], transactionOf, asNamed }: ReadMethod,
  chains: Chains,
  params: readonly unknown[],
): Promise<unknown> {
  const { fork } = chains;
  const answer = await fork.request(name, await atNumbers(codecs, params, chains));
  if (asNamed) return asNamed(answer, params);
  if (!transactionOf || answer === null) return answer;
  const hash = transactionOf(answer);
  return typeof hash === 'string' && (await sharesTransaction(fork, hash)) ? answer : null;
}

/** Replaces block tags, including defaults, by numbers: on the other chain they mean other blocks. */
async function atNumbers(
  codecs: readonly Codec<unknown>[],
  params: readonly unknown[],
  chains: Chains,
): Promise<readonly unknown[]> {
  const written: unknown[] = [];
  for (const [i, codec] of codecs.entries()) written.push(await atNumber(codec, params[i], chains));
  while (written.length > params.length && written.at(-1) === undefined) written.pop();
  return written;
}

async function atNumber(codec: Codec<unknown>, param: unknown, chains: Chains): Promise<unknown> {
  if (!codec.isBlock) {
    const blocks = Object.entries(codec.fields ?? {}).filter(([, field]) => field.isBlock);
    if (blocks.length === 0 || (!isObject(param) && codec.isOptional)) return wholeSlots(codec, param);
    const named: Record<string, unknown> = { ...(param as object) };
    for (const [member, field] of blocks) {
      const value = await atNumber(field, named[member], chains);
      if (value !== undefined) named[member] = value;
    }
    return named;
  }
  const ref = codec.decode(param, 'block') as BlockRef | undefined;
  const number = ref && (await numberOf(ref, chains));
  if (number === undefined) return param;
  const { genesis } = chains.chain;
  if (number > genesis)
    throw new DevnetError('server', {
      reason: `the range crosses block ${genesis}, where this chain was forked: request the blocks before and after it separately`,
    });
  return ref && 'tag' in ref ? quantity(number) : param;
}

/** Pads slots in a parameter to 32 bytes: some nodes accept no shorter ones. */
function wholeSlots(codec: Codec<unknown>, param: unknown): unknown {
  if (codec.isSlot && param !== undefined) return word(slot.decode(param, 'slot'));
  const { items } = codec;
  if (!items) return param;
  if (Array.isArray(param)) return param.map((item) => wholeSlots(items, item));
  if (!isObject(param)) return param;
  return Object.fromEntries(Object.entries(param).map(([key, value]) => [key, wholeSlots(items, value)]));
}

/**
 * Returns the number of a referenced block; `undefined` for the hash of a block before the fork.
 * @throws DevnetError -32000 for a hash of a block that the forked chain doesn't have, although the other node may know it
 */
async function numberOf(ref: BlockRef, { fork, chain, shared }: Chains): Promise<bigint | undefined> {
  const known = await withoutEarliest(fork, ref);
  if ('number' in known) return known.number;
  const block = await chain.resolve(known);
  if (block || !('hash' in known)) return block!.header.number;
  const { hash } = known;
  if (!(shared && equalsBytes(shared, hash)) && !(await sharesBlock(fork, hash)))
    throw new DevnetError('headerNotFound', { asked: hex(hash), latest: chain.latest.header.number });
  return undefined;
}
