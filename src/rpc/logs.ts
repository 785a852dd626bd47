import { setImmediate } from 'node:timers/promises';
import { equalsBytes } from '@ethereumjs/util';
import type { BlockView } from '../chain/block.ts';
import { bloomBits, bloomHas } from '../chain/bloom.ts';
import type { BlockRef, ChainReader } from '../chain/refs.ts';
import { DevnetError } from '../errors.ts';
import type { Log } from '../evm/types.ts';
import { blockAt } from './block-at.ts';
import { LATEST } from './codec-block-ref.ts';
import type { LogCriteria, LogFilter } from './codec-filter.ts';
import type { RpcContext } from './context.ts';
import type { ForkContext } from './fork-reader.ts';
import { formatLog, type RpcLog } from './format-log.ts';
import { hex, quantity } from './hex.ts';
import { logsElsewhere } from './logs-elsewhere.ts';

/** Blocks looked at before others get a turn on the event loop. */
const SLICE = 64;

/** Criteria made ready for many blocks: the bloom bits are computed once. */
export interface LogMatcher {
  /** Whether the block may hold a wanted log. */
  readonly mayBeIn: (logsBloom: Uint8Array) => boolean;
  readonly matches: (log: Log) => boolean;
}

export function logMatcher({ addresses, topics }: LogCriteria): LogMatcher {
  // Of every group one must be there.
  const groups = [addresses.map((address) => address.bytes), ...topics]
    .filter((choices) => choices.length > 0)
    .map((choices) => choices.map(bloomBits));
  return {
    mayBeIn: (bloom) => groups.every((group) => group.some((bits) => bloomHas(bloom, bits))),
    matches: (log) =>
      (addresses.length === 0 || addresses.some((address) => address.equals(log.address))) &&
      topics.length <= log.topics.length &&
      topics.every(
        (choices, i) => choices.length === 0 || choices.some((topic) => equalsBytes(topic, log.topics[i]!)),
      ),
  };
}

/**
 * The wanted logs of one block, sealed or pending, in order.
 * @param fromTransaction the first transaction to look at; later ones only when a flashblock added them
 */
export function blockLogs(block: BlockView, matcher: LogMatcher, fromTransaction = 0): RpcLog[] {
  if (!matcher.mayBeIn(block.header.logsBloom)) return [];
  const found: RpcLog[] = [];
  let logIndex = 0;
  block.receipts.forEach(({ logs }, transactionIndex) => {
    for (const log of logs) {
      if (transactionIndex >= fromTransaction && matcher.matches(log))
        found.push(formatLog(log, block, transactionIndex, logIndex));
      logIndex++;
    }
  });
  return found;
}

/**
 * `eth_getLogs`. The ends of the range are fixed when it starts; a pending end adds the pre-confirmed logs.
 * @throws DevnetError `invalidParams` for a range that is reversed or ends above the head, `headerNotFound` for an
 * unknown hash, `prunedHistory` for a range that begins before the first kept block, as geth does, or whose blocks are
 * removed while they are read
 */
export async function queryLogs(
  { chain, fork }: Pick<RpcContext, 'chain' | 'fork'>,
  wanted: LogFilter,
): Promise<RpcLog[]> {
  const filter = fork ? fromZero(wanted) : wanted;
  const { blockHash } = filter;
  if (blockHash) {
    const block = await chain.resolve({ hash: blockHash });
    if (fork && (block?.header.number ?? fork.number) <= fork.number)
      return logsElsewhere(fork, filter, { blockHash: hex(blockHash) });
    return blockLogs(block ?? (await blockAt(chain, { hash: blockHash })), logMatcher(filter));
  }
  const ends = await range(chain, filter);
  const before = fork && (await elsewhere(fork, filter, ends));
  const here = ends ? await logsBetween(chain, ends, logMatcher(filter)) : [];
  return before ? [...before, ...here] : here;
}

/** The earliest block of a forked chain is the other chain's, whose number is taken to be 0. */
function fromZero({ fromBlock, toBlock, ...filter }: LogFilter): LogFilter {
  const number = (ref: BlockRef) => ('tag' in ref && ref.tag === 'earliest' ? { number: 0n } : ref);
  return {
    ...filter,
    ...(fromBlock && { fromBlock: number(fromBlock) }),
    ...(toBlock && { toBlock: number(toBlock) }),
  };
}

/** The part of a range that is on the chain which this one was forked from. */
function elsewhere(
  fork: ForkContext,
  filter: LogFilter,
  ends: readonly [BlockView, BlockView] | undefined,
): Promise<RpcLog[]> | undefined {
  const { fromBlock, toBlock } = filter;
  const asked = (ref: BlockRef | undefined, end: BlockView | undefined) =>
    ref && 'number' in ref ? ref.number : end!.header.number;
  const from = asked(fromBlock, ends?.[0]);
  const to = asked(toBlock, ends?.[1]);
  if (from > fork.number) return undefined;
  const toBlockThere = quantity(to < fork.number ? to : fork.number);
  return logsElsewhere(fork, filter, { fromBlock: quantity(from), toBlock: toBlockThere });
}

async function logsBetween(
  chain: ChainReader,
  [first, last]: readonly [BlockView, BlockView],
  matcher: LogMatcher,
): Promise<RpcLog[]> {
  const found = blockLogs(first, matcher);
  let parent = first;
  for (let number = first.header.number + 1n; number <= last.header.number; number++) {
    if ((number - first.header.number) % BigInt(SLICE) === 0n) await setImmediate();
    const block = number === last.header.number ? last : await keptBlock(chain, { number });
    // The chain may have been reverted between two slices: logs of two histories must not mix.
    if (!equalsBytes(block.header.parentHash, parent.hash))
      throw new DevnetError('server', { reason: 'the chain was reorganised while its logs were read' });
    for (const log of blockLogs(block, matcher)) found.push(log);
    parent = block;
  }
  return found;
}

/**
 * First and last block of a filter's range, `latest` where an end is left out. Nothing is logged before the genesis
 * block, so that a range may begin there; `undefined` where it ends there, too.
 */
async function range(
  chain: ChainReader,
  { fromBlock, toBlock }: LogFilter,
): Promise<[BlockView, BlockView] | undefined> {
  const { genesis } = chain;
  const from = fromBlock && numberBelow(genesis, fromBlock);
  const to = toBlock && numberBelow(genesis, toBlock);
  if (to !== undefined) {
    if (from === undefined || from > to) throw reversed();
    return undefined;
  }
  const first = await endOfRange(chain, from === undefined ? (fromBlock ?? LATEST) : { number: genesis });
  const last = toBlock || first.sealed ? await endOfRange(chain, toBlock ?? LATEST) : first;
  if (first.header.number > last.header.number) throw reversed();
  return [first, last];
}

function reversed(): DevnetError {
  return new DevnetError('invalidParams', { reason: 'fromBlock is after toBlock' });
}

function numberBelow(genesis: bigint, ref: BlockRef): bigint | undefined {
  return 'number' in ref && ref.number < genesis ? ref.number : undefined;
}

function endOfRange(chain: ChainReader, ref: BlockRef): Promise<BlockView> {
  if ('number' in ref && ref.number > chain.latest.header.number)
    throw new DevnetError('invalidParams', { reason: 'block range extends beyond current head block' });
  return keptBlock(chain, ref);
}

function keptBlock(chain: ChainReader, ref: BlockRef): Promise<BlockView> {
  if ('number' in ref && ref.number < chain.first && ref.number >= chain.genesis)
    throw new DevnetError('prunedHistory');
  return blockAt(chain, ref);
}
