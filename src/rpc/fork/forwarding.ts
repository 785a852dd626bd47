import type { BlockView } from '../../chain/block.ts';
import type { ChainReader } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import { isObject } from '../codec/codec.ts';
import { quantity } from '../codec/hex.ts';
import { contextWith, type RpcContext } from '../context.ts';
import type { RpcMethod } from '../define-method.ts';
import { Elsewhere, type ForkContext, ForkReader } from './reader.ts';

/** Members of a parameter that name a block. */
const BLOCKS = ['blockNumber', 'fromBlock', 'toBlock'];

/**
 * The methods of a chain that may be forked from another one: a call for what is on that chain only is passed on to that
 * chain's node, which answers it. On a chain that isn't forked the methods do as they did.
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

async function callOver(
  fork: ForkContext,
  method: RpcMethod & { readonly kind: 'read' },
  context: RpcContext,
  params: readonly unknown[],
  held: unknown,
): Promise<unknown> {
  const { chain } = context;
  try {
    return await method.call(contextWith(context, { chain: new ForkReader({ chain }) }), params, held);
  } catch (error) {
    if (!(error instanceof Elsewhere)) throw error;
    const { name, forkable } = method;
    const whole = typeof forkable === 'function' ? forkable(params) : params;
    return fork.request(name, await atNumbers(whole, chain));
  }
}

/** Tags mean other blocks on the other chain, so they are replaced by numbers. */
async function atNumbers(params: readonly unknown[], chain: ChainReader): Promise<readonly unknown[]> {
  const numberOf = async (value: unknown) => {
    if (value !== 'latest' && value !== 'safe' && value !== 'finalized') return value;
    const { header } = (await chain.resolve({ tag: value })) as BlockView;
    return quantity(header.number);
  };
  return Promise.all(
    params.map(async (param) => {
      if (!isObject(param)) return numberOf(param);
      const named = await Promise.all(
        BLOCKS.filter((member) => member in param).map(async (member) => [
          member,
          await numberOf(param[member]),
        ]),
      );
      const { toBlock } = Object.fromEntries(named) as { toBlock?: string };
      if (typeof toBlock === 'string' && toBlock.startsWith('0x') && BigInt(toBlock) > chain.genesis)
        throw new DevnetError('server', {
          reason: `the range crosses block ${chain.genesis}, where this chain was forked: ask for both sides of it apart`,
        });
      return { ...param, ...Object.fromEntries(named) };
    }),
  );
}
