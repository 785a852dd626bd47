import { equalsBytes } from '@ethereumjs/util';
import type { Block, BlockView, Header } from '../../chain/block.ts';
import type { BlocksAbove } from '../../chain/blocks-above.ts';
import { bloomBits, bloomHas, isEmptyBloom } from '../../chain/bloom.ts';
import type { BlockRef, ChainReader } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import type { Log } from '../../evm/types.ts';
import { giveWay } from '../../turns.ts';
import { LATEST } from '../codec/block-ref.ts';
import type { LogCriteria, LogFilter } from '../codec/filter.ts';
import { hex } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';
import { fromZero, logsBefore, logsElsewhere } from '../fork/logs.ts';
import { formatLog, type RpcLog } from '../format/log.ts';
import { blockAt } from './block-at.ts';

/** How often a range is read when its blocks are removed meanwhile. */
const MOST_TRIES = 5;

/** Log criteria prepared for many blocks: the bloom bits are computed once. */
export interface LogMatcher {
  /** Whether a block with this bloom may contain a matching log. */
  readonly mayBeIn: (logsBloom: Uint8Array) => boolean;
  readonly matches: (log: Log) => boolean;
}

export function logMatcher({ addresses, topics }: LogCriteria): LogMatcher {
  // One of each group must be in the bloom.
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
 * The matching logs of one block, sealed or pending, in order.
 * @param fromTransaction index of the first transaction to look at, for the transactions that a flashblock added
 */
export function blockLogs(block: Block, matcher: LogMatcher, fromTransaction = 0): RpcLog[] {
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
 * The matching logs of removed blocks, the newest block first, read one block at a time. Yields `undefined` before
 * each block, so that the reader can let other work run. For blocks without logs, which are most blocks of a long
 * chain, only the header is read.
 */
export function* removedLogs(blocks: BlocksAbove, matcher: LogMatcher): Iterable<RpcLog | undefined> {
  // A log always sets bits: those of its address.
  const wanted = ({ logsBloom }: Header) => !isEmptyBloom(logsBloom) && matcher.mayBeIn(logsBloom);
  for (const block of blocks.newestFirst(wanted)) {
    yield undefined;
    if (block) for (const log of blockLogs(block, matcher)) yield { ...log, removed: true };
  }
}

/**
 * `eth_getLogs`. The ends of the range are fixed at the start; the end `pending` adds the pre-confirmed logs. If
 * blocks are removed meanwhile it starts again, because logs of two histories must not mix.
 * @throws DevnetError `invalidParams` for a range that is reversed or ends above the head, `headerNotFound` for an
 * unknown hash, `prunedHistory` for a range that begins before the first kept block, as geth does, or whose blocks are
 * removed while they are read, -32000 when the chain moves again and again
 */
export async function queryLogs(
  { chain, fork }: Pick<RpcContext, 'chain' | 'fork'>,
  wanted: LogFilter,
): Promise<RpcLog[]> {
  const filter = fork ? fromZero(wanted) : wanted;
  const { blockHash } = filter;
  const matcher = logMatcher(filter);
  if (blockHash) {
    const block = await chain.resolve({ hash: blockHash });
    if (fork && (block?.header.number ?? fork.number) <= fork.number)
      return logsElsewhere(fork, filter, { blockHash: hex(blockHash) });
    return blockLogs(block ?? (await blockAt(chain, { hash: blockHash })), matcher);
  }
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // Removed blocks aren't in the store any more, so a second try reads a snapshot of the chain.
    const view = tries === 0 ? chain : chain.snapshot();
    const ends = await range(view, filter);
    const before = fork && (await logsBefore(fork, filter, ends));
    const found = ends ? await logsBetween(view, ends, matcher) : [];
    if (found) return before ? [...before, ...found] : found;
  }
  throw new DevnetError('server', { reason: 'the chain was reorganised while its logs were read' });
}

/** @returns `undefined` when the first block isn't an ancestor of the last one any more */
async function logsBetween(
  chain: ChainReader,
  [first, last]: readonly [BlockView, BlockView],
  matcher: LogMatcher,
): Promise<RpcLog[] | undefined> {
  const found = blockLogs(first, matcher);
  let parent = first;
  for (let number = first.header.number + 1n; number <= last.header.number; number++) {
    await giveWay();
    refusePruned(chain, { number });
    const block = number === last.header.number ? last : await chain.resolve({ number });
    if (!block || !equalsBytes(block.header.parentHash, parent.hash)) return undefined;
    for (const log of blockLogs(block, matcher)) found.push(log);
    parent = block;
  }
  return found;
}

/**
 * First and last block of a filter's range; a missing end is `latest`. The range may begin below the genesis block.
 * @returns `undefined` when it also ends below the genesis block, where there are no logs
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
  refusePruned(chain, ref);
  return blockAt(chain, ref);
}

function refusePruned({ first, genesis }: ChainReader, ref: BlockRef): void {
  if ('number' in ref && ref.number < first && ref.number >= genesis) throw new DevnetError('prunedHistory');
}
