import type { BlockView, Transaction } from '../../chain/block.ts';
import type { BlocksAbove } from '../../chain/blocks-above.ts';
import type { Flashblock } from '../../sequencer/feed/feed.ts';
import { payloadId } from '../../sequencer/feed/message.ts';
import { anyOf, type Codec, invalid, mapped, withDefault } from '../codec/codec.ts';
import { type LogCriteria, type LogFilter, logFilter } from '../codec/filter.ts';
import { hex } from '../codec/hex.ts';
import { boolean } from '../codec/values.ts';
import { formatHeader } from '../format/block.ts';
import { blockText, partialBlockText } from '../format/block-text.ts';
import type { RpcLog } from '../format/log.ts';
import { firstLogIndex, formatReceipt } from '../format/receipt.ts';
import { formatTransaction, type RpcTransaction } from '../format/transaction.ts';
import { blockLogs, type LogMatcher, logMatcher, removedLogs } from '../read/logs.ts';

/** A kind of subscription with its arguments. It turns events into JSON texts, one for each notification. */
export interface Topic {
  /** equal for equal subscriptions, which share notifications */
  readonly key: string;
  readonly flashblock?: (flashblock: Flashblock) => readonly string[];
  readonly sealed?: (block: BlockView) => readonly string[];
  /**
   * Blocks were removed. The result is read lazily while notifications are sent; it has `undefined` for each step without a notification.
   */
  readonly removed?: (blocks: BlocksAbove) => Iterable<string | undefined>;
  /** a transaction entered the mempool */
  readonly added?: (transaction: Transaction) => readonly string[];
}

const NO_FILTER: LogFilter = { addresses: [], topics: [] };
const filter = withDefault(logFilter, NO_FILTER);
const flag = withDefault(boolean, false);
const flagOrFilter = withDefault(anyOf('true, false or a filter object', boolean, logFilter), false);

/** Codecs that turn a subscription's argument into a topic, by the name of the kind. */
const TOPICS: Readonly<Record<string, Codec<Topic>>> = {
  newHeads: always({
    key: 'newHeads',
    sealed: (block) => json([formatHeader(block)]),
  }),
  logs: mapped(filter, (criteria) => {
    const matcher = logMatcher(criteria);
    return {
      key: `logs ${keyOf(criteria)}`,
      sealed: (block) => json(blockLogs(block, matcher)),
      removed: (blocks) => texts(removedLogs(blocks, matcher)),
    };
  }),
  newPendingTransactions: mapped(flag, (full) => ({
    key: `newPendingTransactions ${full}`,
    added: (transaction) => json([full ? formatTransaction(transaction) : hex(transaction.hash)]),
  })),
  // The node makes its own blocks, so it is never syncing and there are no notifications.
  syncing: always({ key: 'syncing' }),
  newFlashblocks: always({
    key: 'newFlashblocks',
    flashblock: ({ block }) => [blockText(block, true)],
  }),
  newFlashblockDiffs: always({
    key: 'newFlashblockDiffs',
    flashblock: (flashblock) => [diffText(flashblock)],
  }),
  pendingLogs: mapped(filter, (criteria) => {
    const matcher = logMatcher(criteria);
    return {
      key: `pendingLogs ${keyOf(criteria)}`,
      flashblock: (flashblock) =>
        json(blockLogs(flashblock.block, matcher, { fromTransaction: firstNew(flashblock) })),
    };
  }),
  newFlashblockTransactions: mapped(flagOrFilter, (wanted) => {
    if (wanted === false)
      return {
        key: 'newFlashblockTransactions false',
        flashblock: ({ transactions }) => json(transactions.map(({ hash }) => hex(hash))),
      };
    const matcher = wanted === true ? undefined : logMatcher(wanted);
    return {
      key: `newFlashblockTransactions ${wanted === true || keyOf(wanted)}`,
      flashblock: (flashblock) => json(newTransactions(flashblock, matcher)),
    };
  }),
};

/**
 * Turns the parameters of `eth_subscribe` into a topic.
 * @throws DevnetError `invalidParams` for an unknown kind or a bad argument
 */
export function topicOf(kind: string, argument: unknown): Topic {
  if (!Object.hasOwn(TOPICS, kind)) return invalid('params[0]', Object.keys(TOPICS).join(', '), kind);
  return TOPICS[kind]!.decode(argument, 'params[1]');
}

function json(results: readonly unknown[]): string[] {
  return results.map((result) => JSON.stringify(result));
}

function* texts(logs: Iterable<RpcLog | undefined>): Iterable<string | undefined> {
  for (const log of logs) yield log && JSON.stringify(log);
}

/** A kind of subscription without arguments; arguments are ignored, as in geth. */
function always(topic: Topic): Codec<Topic> {
  return { decode: () => topic };
}

function keyOf({ addresses, topics }: LogCriteria): string {
  return JSON.stringify([addresses.map((address) => address.toString()), topics.map((any) => any.map(hex))]);
}

/**
 * Returns the JSON of what a flashblock adds: the block in the format of `newFlashblocks` with the new transactions only, and the indexes
 * of those that failed, counted among the new ones.
 */
function diffText(flashblock: Flashblock): string {
  const { payload, index, block } = flashblock;
  const id = hex(payloadId(payload, block.header.parentHash));
  const first = firstNew(flashblock);
  const failed = block.receipts.slice(first).flatMap(({ status }, i) => (status === false ? [i] : []));
  return `{"payloadId":"${id}","index":${index},"failed":[${failed}],"block":${partialBlockText(block, first)}}`;
}

/** Returns the index in the block of the first transaction that the flashblock added. */
function firstNew({ block, transactions }: Flashblock): number {
  return block.transactions.length - transactions.length;
}

/** Returns the flashblock's matching transactions, each with the fields of its receipt. */
function newTransactions(flashblock: Flashblock, matcher: LogMatcher | undefined): RpcTransaction[] {
  const { block, transactions } = flashblock;
  const first = firstNew(flashblock);
  let logIndex = firstLogIndex(block, first);
  const found: RpcTransaction[] = [];
  transactions.forEach((transaction, i) => {
    const index = first + i;
    const { logs } = block.receipts[index]!;
    if (!matcher || logs.some(matcher.matches)) {
      const receipt = formatReceipt(block, index, logIndex);
      // Fields that both have are equal.
      found.push({ ...receipt, ...formatTransaction(transaction, { block, index }) });
    }
    logIndex += logs.length;
  });
  return found;
}
