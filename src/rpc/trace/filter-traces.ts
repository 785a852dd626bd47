import type { BlockView } from '../../chain/block.ts';
import type { ChainReader } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import type { Tracing } from '../../execution/trace.ts';
import { giveWay, type Pauses } from '../../turns.ts';
import type { TraceFilter } from '../codec/trace-filter.ts';
import type { RpcParityTrace } from '../format/parity.ts';
import { blockAt } from '../read/block-at.ts';
import { parityBlock } from './block.ts';

/** maximum number of blocks of one search, because each block is executed again */
const MAX_BLOCKS = 1_000n;

/** Returns the calls in a range of blocks that match the filter. @throws DevnetError `limitExceeded` if the range is too long */
export async function filterTraces(
  filter: TraceFilter,
  chain: ChainReader,
  tracing: Tracing,
  pauses?: Pauses,
): Promise<RpcParityTrace[]> {
  const first = await blockAt(chain, filter.fromBlock);
  const last = await blockAt(chain, filter.toBlock);
  if (last.header.number - first.header.number >= MAX_BLOCKS)
    throw new DevnetError('limitExceeded', { limit: 'the block range', max: MAX_BLOCKS });
  const from = new Set(filter.fromAddress.map((address) => address.toString() as string));
  const to = new Set(filter.toAddress.map((address) => address.toString() as string));
  const matches = (trace: RpcParityTrace) =>
    (from.size === 0 || from.has(senderOf(trace))) && (to.size === 0 || to.has(recipientOf(trace)));
  const found: RpcParityTrace[] = [];
  const wanted = filter.count === undefined ? Number.POSITIVE_INFINITY : Number(filter.after + filter.count);
  for await (const block of range(first, last, chain)) {
    if (found.length >= wanted) break;
    for (const trace of (await parityBlock(tracing, block)).items()) {
      if (matches(trace)) found.push(trace);
      await giveWay(pauses);
    }
  }
  return found.slice(Number(filter.after), wanted);
}

async function* range(first: BlockView, last: BlockView, chain: ChainReader): AsyncGenerator<BlockView> {
  for (let number = first.header.number; number < last.header.number; number++) {
    const block = number === first.header.number ? first : await chain.resolve({ number });
    if (block) yield block;
  }
  if (last.header.number >= first.header.number) yield last;
}

function senderOf({ action }: RpcParityTrace): string {
  return action.from ?? action.address ?? '';
}

function recipientOf({ action, result }: RpcParityTrace): string {
  return action.to ?? action.refundAddress ?? result?.address ?? '';
}
