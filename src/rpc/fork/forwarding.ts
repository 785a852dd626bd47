import type { BlockView } from '../../chain/block.ts';
import type { ChainReader } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import { isObject } from '../codec/codec.ts';
import { quantity } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';
import type { RpcMethod } from '../define-method.ts';
import { Elsewhere, type ForkContext, ForkReader } from './reader.ts';

/** Methods that only read blocks, transactions and states, and look at one block: a call of them is forwarded as it is. */
const READS =
  /^(eth_call(Many)?|eth_createAccessList|eth_estimateGas|eth_simulateV1|eth_get(Account|Balance|Block|Code|Header|Proof|RawTransaction|Storage|Transaction|Uncle)\w*|debug_(trace|getRaw|storageRange)\w+|trace_\w+|ots_(?!getApiLevel$)\w+|erigon_getHeaderByNumber)$/;
/** Members of a parameter that name a block. */
const BLOCKS = ['blockNumber', 'fromBlock', 'toBlock'];

/**
 * The methods of a chain that may be forked: what isn't here but on the chain that it left is asked of its node, and
 * the answer is that node's. On a chain that isn't forked they are as they were.
 */
export function overFork(methods: readonly RpcMethod[]): readonly RpcMethod[] {
  return methods.map((method) => {
    if (!READS.test(method.name)) return method;
    return {
      name: method.name,
      call: (context, params) =>
        context.fork ? callOver(context.fork, method, context, params) : method.call(context, params),
    };
  });
}

async function callOver(
  fork: ForkContext,
  method: RpcMethod,
  context: RpcContext,
  params: readonly unknown[],
): Promise<unknown> {
  const { chain } = context;
  try {
    return await method.call({ ...context, chain: new ForkReader({ chain }) }, params);
  } catch (error) {
    if (!(error instanceof Elsewhere)) throw error;
    return fork.request(method.name, await atNumbers(method.name, params, chain));
  }
}

/** Tags mean other blocks there, so they become numbers. */
async function atNumbers(
  name: string,
  params: readonly unknown[],
  chain: ChainReader,
): Promise<readonly unknown[]> {
  const numberOf = async (value: unknown) => {
    if (value !== 'latest' && value !== 'safe' && value !== 'finalized') return value;
    const { header } = (await chain.resolve({ tag: value })) as BlockView;
    return quantity(header.number);
  };
  const given =
    name === 'trace_filter' ? [{ fromBlock: 'latest', toBlock: 'latest', ...(params[0] as object) }] : params;
  return Promise.all(
    given.map(async (param) => {
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
