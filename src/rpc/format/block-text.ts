import type { Block, Header, Transaction } from '../../chain/block.ts';

import type { LoggedBlock } from '../../chain/refs.ts';
import type { Log } from '../../protocol/types.ts';
import { hex } from '../codec/hex.ts';
import { formatBlock } from './block.ts';
import { formatLog } from './log.ts';
import { firstLogIndex, formatReceipt, formatReceipts } from './receipt.ts';
import { formatTransaction } from './transaction.ts';

/** The JSON texts made so far of a block and its receipts. */
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
 * The texts of a block are cached as long as its header is in memory: all views of a decoded block share the header, and each pending block
 * has its own.
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

/** Returns the JSON of a block, identical to that of `formatBlock`. @param full whole transactions instead of their hashes */
export function blockText(block: Block, full: boolean): string {
  // Reading the transactions first throws for a block whose content is on another chain.
  void block.transactions;
  const known = textsOf(block);
  if (!full) {
    known.withHashes ??= JSON.stringify(formatBlock(block, false));
    return known.withHashes;
  }
  known.withTransactions ??= partialBlockText(block, 0);
  return known.withTransactions;
}

/** Returns the JSON of a block with its full transactions from the index `first` on. */
export function partialBlockText(block: Block, first: number): string {
  const [before, after] = JSON.stringify(formatBlock({ ...block, transactions: [] }, true)).split(
    '"transactions":[]',
  );
  const texts = block.transactions.slice(first).map((_, i) => transactionText(block, first + i));
  return `${before}"transactions":[${texts.join(',')}]${after}`;
}

/** Returns the JSON of all receipts of a block, identical to that of `formatReceipts`. */
export function receiptsText(block: Block): string {
  const { receipts } = block;
  const known = textsOf(block);
  if (known.receipts === undefined)
    known.receipts = receipts.length === 0 ? '[]' : JSON.stringify(formatReceipts(block));
  return known.receipts;
}

/** Returns the JSON of a receipt, identical to that of `formatReceipt`. @param index of its transaction in the block */
export function receiptText(block: Block, index: number): string {
  const { receipt } = textsOf(block);
  receipt[index] ??= JSON.stringify(formatReceipt(block, index, firstLogIndex(block, index)));
  return receipt[index];
}

/** Returns the JSON of a log, identical to that of `formatLog` with the same parameters. */
export function logText(log: Log, block: LoggedBlock, transactionIndex: number, logIndex: number): string {
  const { log: known } = textsOf(block);
  known[logIndex] ??= JSON.stringify(formatLog(log, block, transactionIndex, logIndex));
  return known[logIndex];
}

/** The start of a transaction's JSON. Only `blockHash` changes while the block grows. */
const START = '{"blockHash":"';

interface CachedText {
  /** the transaction's index in its block, and the fields of the block that the text depends on */
  readonly index: number;
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly timestampMs: bigint | undefined;
  readonly baseFeePerGas: bigint | undefined;
  /** the JSON after the block hash */
  readonly text: string;
}

const cached = new WeakMap<Transaction, CachedText>();

/**
 * Returns the JSON of a transaction of a block, identical to that of `formatTransaction`. An open block is formatted again for each
 * flashblock, so the part of the text that doesn't change is cached per transaction.
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
