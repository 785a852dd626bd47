import type { BlockView, Header } from '../../chain/block.ts';
import type { BlocksAbove } from '../../chain/blocks-above.ts';
import { logTerm, type TermGroups } from '../../chain/log-terms.ts';
import type { BlockRef, ChainReader, LoggedBlock } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import { bloomBits, bloomHas, isEmptyBloom } from '../../protocol/bloom.ts';
import type { Log } from '../../protocol/types.ts';
import { hexKey } from '../../state/hex-key.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import { inTurns, type Pauses } from '../../turns.ts';
import { LATEST } from '../codec/block-ref.ts';
import type { LogCriteria, LogFilter } from '../codec/filter.ts';
import { hex } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';
import { logsBefore, remoteLogs, withNumbers } from '../fork/logs.ts';
import { sharesBlock } from '../fork/shared.ts';
import { logText } from '../format/block-text.ts';
import { formatLog, type RpcLog } from '../format/log.ts';
import { JsonText } from '../json-text.ts';
import { blockAt } from './block-at.ts';

/** How often reading a range is attempted if its blocks are removed in the meantime. */
const MAX_TRIES = 5;

/** Log criteria prepared for many blocks: their bloom bits are computed only once. */
export interface LogMatcher {
  /** Whether a block with this bloom may contain a matching log. */
  readonly mayBeIn: (logsBloom: Uint8Array) => boolean;
  readonly matches: (log: Log) => boolean;
  /** The index terms by which blocks with matching logs are found. */
  readonly terms: TermGroups;
}

export function logMatcher({ addresses, topics }: LogCriteria): LogMatcher {
  // At least one value of each group must be in the bloom. The first group is the addresses.
  const groups = [addresses.map(({ bytes }) => bytes), ...topics]
    .map((choices, position) => ({ choices, position }))
    .filter(({ choices }) => choices.length > 0);
  const blooms = groups.map(({ choices }) => choices.map(bloomBits));
  const places = new Set(addresses.map(({ bytes }) => hexKey(bytes)));
  const values = topics.map((choices) => new Set(choices.map(hexKey)));
  return {
    mayBeIn: (bloom) => blooms.every((group) => group.some((bits) => bloomHas(bloom, bits))),
    matches: (log) =>
      (places.size === 0 || places.has(hexKey(log.address.bytes))) &&
      values.length <= log.topics.length &&
      values.every((choices, i) => choices.size === 0 || choices.has(hexKey(log.topics[i]!))),
    terms: groups.map(({ choices, position }) => choices.map((choice) => logTerm(choice, position))),
  };
}

/**
 * Returns the matching logs of one block, sealed or pending, in order.
 * @param fromTransaction index of the first transaction to search, for the transactions that a flashblock added
 */
export function blockLogs(
  block: LoggedBlock,
  matcher: LogMatcher,
  { fromTransaction = 0, format = formatLog } = {},
): RpcLog[] {
  return formattedLogs(block, matcher, fromTransaction, format);
}

/** Like {@link blockLogs}, as JSON. */
export function blockLogTexts(block: LoggedBlock, matcher: LogMatcher, fromTransaction = 0): string[] {
  return formattedLogs(block, matcher, fromTransaction, logText);
}

function formattedLogs<T>(
  block: LoggedBlock,
  matcher: LogMatcher,
  fromTransaction: number,
  format: (log: Log, block: LoggedBlock, transactionIndex: number, logIndex: number) => T,
): T[] {
  if (!matcher.mayBeIn(block.header.logsBloom)) return [];
  const found: T[] = [];
  let logIndex = 0;
  block.receipts.forEach(({ logs }, transactionIndex) => {
    for (const log of logs) {
      if (transactionIndex >= fromTransaction && matcher.matches(log))
        found.push(format(log, block, transactionIndex, logIndex));
      logIndex++;
    }
  });
  return found;
}

/**
 * Returns the matching logs of removed blocks, newest block first, reading one block at a time. Yields `undefined` before each block, so
 * that the reader can let other work run. For blocks without logs, which are most blocks of a long chain, only the header is read.
 */
export function* removedLogs(blocks: BlocksAbove, matcher: LogMatcher): Iterable<RpcLog | undefined> {
  // Every log sets bloom bits, at least those of its address.
  const wanted = ({ logsBloom }: Header) => !isEmptyBloom(logsBloom) && matcher.mayBeIn(logsBloom);
  for (const block of blocks.newestFirst(wanted)) {
    yield undefined;
    if (block) for (const log of blockLogs(block, matcher)) yield { ...log, removed: true };
  }
}

/**
 * Runs `eth_getLogs`, and returns JSON. The ends of the range are fixed at the start; with `pending` as its end, the range includes the
 * pre-confirmed logs. Only blocks that may have matching logs are read. If blocks are removed in the meantime, it starts again, because
 * logs of two histories must not be mixed.
 * @returns a promise only if it takes longer than a time slice, or if data must be fetched
 * @throws DevnetError `invalidParams` for a range that is reversed or ends above the head; `headerNotFound` for an unknown hash;
 * `prunedHistory` for a range that begins before the first kept block, as in geth, or whose blocks are removed while they are read; -32000
 * if the chain is reorganised repeatedly
 */
export function queryLogs(
  context: Pick<RpcContext, 'chain' | 'fork' | 'pauses'>,
  filter: LogFilter,
): Awaitable<JsonText> {
  const { chain, fork } = context;
  const { blockHash } = filter;
  if (!blockHash)
    return andThen(fork ? withNumbers(fork, filter) : filter, (numbered) => logsInRange(context, numbered));
  return andThen(chain.resolve({ hash: blockHash }), (block) => {
    const isBefore = fork && (block ? block.header.number === fork.number : sharesBlock(fork, blockHash));
    return andThen(isBefore, (there) => {
      if (there)
        return andThen(remoteLogs(fork!, filter, { blockHash: hex(blockHash) }), (logs) => answer(logs, []));
      return andThen(block ?? blockAt(chain, { hash: blockHash }), (found) =>
        answer([], blockLogTexts(found, logMatcher(filter))),
      );
    });
  });
}

function logsInRange(
  { chain, fork, pauses }: Pick<RpcContext, 'chain' | 'fork' | 'pauses'>,
  filter: LogFilter,
): Awaitable<JsonText> {
  const matcher = logMatcher(filter);
  const attempt = (tries: number): Awaitable<JsonText> => {
    // Removed blocks are no longer in the store, so a second attempt reads a snapshot of the chain.
    const view = tries === 0 ? chain : chain.snapshot();
    return andThen(range(view, filter), (ends) =>
      andThen(fork && logsBefore(fork, filter, ends), (before = []) =>
        andThen(ends ? logsBetween(view, ends, matcher, pauses) : [], (found) => {
          if (found) return answer(before, found);
          if (tries + 1 < MAX_TRIES) return attempt(tries + 1);
          throw new DevnetError('server', { reason: 'the chain was reorganised while its logs were read' });
        }),
      ),
    );
  };
  return attempt(0);
}

/** @param before logs of another chain */
function answer(before: readonly RpcLog[], texts: readonly string[]): JsonText {
  return new JsonText(`[${[...before.map((log) => JSON.stringify(log)), ...texts].join(',')}]`);
}

/** @returns `undefined` if the range is no longer part of the chain */
function logsBetween(
  chain: ChainReader,
  [first, last]: readonly [BlockView, BlockView],
  matcher: LogMatcher,
  pauses: Pauses | undefined,
): Awaitable<string[] | undefined> {
  const from = first.header.number;
  if (last.header.number === from) return blockLogTexts(last, matcher);
  const { logged } = chain;
  const newest = last.sealed
    ? { number: last.header.number, hash: last.hash }
    : { number: last.header.number - 1n, hash: last.header.parentHash };
  return andThen(logged.find(from, newest, matcher.terms), (numbers) => {
    const { removals } = logged;
    const texts: string[] = [];
    let at = 0;
    let isGone = numbers === undefined;
    const step = (): boolean => {
      isGone ||= logged.removals !== removals;
      const number = numbers?.[at++];
      if (isGone || number === undefined) return false;
      refusePruned(chain, { number: BigInt(number) });
      const block = logged.read(number);
      isGone = !block;
      if (block) for (const text of blockLogTexts(block, matcher)) texts.push(text);
      return !isGone;
    };
    refusePruned(chain, { number: from });
    return andThen(inTurns(step, pauses), () => {
      if (isGone) return undefined;
      if (!last.sealed) for (const text of blockLogTexts(last, matcher)) texts.push(text);
      return texts;
    });
  });
}

/**
 * Returns the first and last block of a filter's range; a missing end is `latest`. The range may begin below the genesis block.
 * @returns `undefined` if it also ends below the genesis block, where there are no logs
 */
function range(
  chain: ChainReader,
  { fromBlock, toBlock }: LogFilter,
): Awaitable<readonly [BlockView, BlockView] | undefined> {
  const { genesis } = chain;
  const from = fromBlock && numberBelow(genesis, fromBlock);
  const to = toBlock && numberBelow(genesis, toBlock);
  if (to !== undefined) {
    if (from === undefined || from > to) throw reversed();
    return undefined;
  }
  const start = endOfRange(chain, from === undefined ? (fromBlock ?? LATEST) : { number: genesis });
  return andThen(start, (first) =>
    andThen(toBlock || first.sealed ? endOfRange(chain, toBlock ?? LATEST) : first, (last) => {
      if (first.header.number > last.header.number) throw reversed();
      return [first, last] as const;
    }),
  );
}

function reversed(): DevnetError {
  return new DevnetError('invalidParams', { reason: 'fromBlock is after toBlock' });
}

function numberBelow(genesis: bigint, ref: BlockRef): bigint | undefined {
  return 'number' in ref && ref.number < genesis ? ref.number : undefined;
}

function endOfRange(chain: ChainReader, ref: BlockRef): Awaitable<BlockView> {
  if ('number' in ref && ref.number > chain.latest.header.number)
    throw new DevnetError('invalidParams', { reason: 'block range extends beyond current head block' });
  return keptBlock(chain, ref);
}

function keptBlock(chain: ChainReader, ref: BlockRef): Awaitable<BlockView> {
  refusePruned(chain, ref);
  return blockAt(chain, ref);
}

function refusePruned({ first, genesis }: ChainReader, ref: BlockRef): void {
  if ('number' in ref && ref.number < first && ref.number >= genesis) throw new DevnetError('prunedHistory');
}
