import type { Block, Header, Transaction } from '../../chain/block.ts';

import type { LoggedBlock } from '../../chain/refs.ts';
import type { Log } from '../../protocol/types.ts';
import { hex } from '../codec/hex.ts';
import { formatBlock } from './block.ts';
import { formatLog } from './log.ts';
import { firstLogIndex, formatReceipt, formatReceipts } from './receipt.ts';
import { formatTransaction } from './transaction.ts';

/** The JSON of a block that was asked for before, and of its receipts. */
interface Texts {
  withHashes?: string;
  withTransactions?: string;
  receipts?: string;
  /** by index of the transaction */
  readonly receipt: string[];
  /** by index of the log in the block */
  readonly log: string[];
}

/**
 * The texts of a block are kept as long as its header is in memory: all views of a decoded block share that, and each
 * pending block has its own.
 */
const texts = new WeakMap<Header, Texts>();

function textsOf({ header }: Pick<Block, 'header'>): Texts {
  let known = texts.get(header);
  if (!known) {
    known = { receipt: [], log: [] };
    texts.set(header, known);
  }
  return known;
}

/** The JSON of a block, the same as `formatBlock` gives. @param full with full transactions instead of their hashes */
export function blockText(block: Block, full: boolean): string {
  // Read first: it throws for a block whose contents are on another chain.
  void block.transactions;
  const known = textsOf(block);
  if (!full) {
    known.withHashes ??= JSON.stringify(formatBlock(block, false));
    return known.withHashes;
  }
  known.withTransactions ??= partialBlockText(block, 0);
  return known.withTransactions;
}

/** The JSON of a block with its full transactions from the index `first` on. */
export function partialBlockText(block: Block, first: number): string {
  const [before, after] = JSON.stringify(formatBlock({ ...block, transactions: [] }, true)).split(
    '"transactions":[]',
  );
  const texts = block.transactions.slice(first).map((_, i) => transactionText(block, first + i));
  return `${before}"transactions":[${texts.join(',')}]${after}`;
}

/** The JSON of all receipts of a block, the same as `formatReceipts` gives. */
export function receiptsText(block: Block): string {
  const { receipts } = block;
  const known = textsOf(block);
  if (known.receipts === undefined)
    known.receipts = receipts.length === 0 ? '[]' : JSON.stringify(formatReceipts(block));
  return known.receipts;
}

/** The JSON of a receipt, the same as `formatReceipt` gives. @param index of its transaction in the block */
export function receiptText(block: Block, index: number): string {
  const { receipt } = textsOf(block);
  receipt[index] ??= JSON.stringify(formatReceipt(block, index, firstLogIndex(block, index)));
  return receipt[index];
}

/** The JSON of a log, the same as `formatLog` gives, with the same parameters. */
export function logText(log: Log, block: LoggedBlock, transactionIndex: number, logIndex: number): string {
  const { log: known } = textsOf(block);
  known[logIndex] ??= JSON.stringify(formatLog(log, block, transactionIndex, logIndex));
  return known[logIndex];
}

/** The begin of a transaction's JSON: `blockHash` is the only member that changes while its block grows. */
const START = '{"blockHash":"';

interface CachedText {
  /** the transaction's place in its block, and the fields of the block from which the text was made */
  readonly index: number;
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly timestampMs: bigint | undefined;
  readonly baseFeePerGas: bigint | undefined;
  /** the JSON after the block's hash */
  readonly text: string;
}

const cached = new WeakMap<Transaction, CachedText>();

/**
 * The JSON of a transaction of a block, the same as `formatTransaction` gives. An open block is formatted again with
 * each flashblock, so what doesn't change by that is kept for each transaction.
 */
export function transactionText(block: Block, index: number): string {
  return START + hex(block.hash) + restOf(block.transactions[index]!, block, index);
}

function restOf(transaction: Transaction, block: Block, index: number): string {
  const { timestampMs } = block;
  const { number, timestamp, baseFeePerGas } = block.header;
  const known = cached.get(transaction);
  const isKnown =
    known?.index === index &&
    known.number === number &&
    known.timestamp === timestamp &&
    known.timestampMs === timestampMs &&
    known.baseFeePerGas === baseFeePerGas;
  if (isKnown) return known.text;
  const text = JSON.stringify(formatTransaction(transaction, { block, index })).slice(START.length + 66);
  cached.set(transaction, { index, number, timestamp, timestampMs, baseFeePerGas, text });
  return text;
}
