import type { Block, Transaction } from '../../chain/block.ts';
import { hex } from '../codec/hex.ts';
import { formatBlock } from './block.ts';
import { formatTransaction } from './transaction.ts';

/** The begin of a transaction's JSON: `blockHash` is the only member that changes while its block grows. */
const START = '{"blockHash":"';

interface CachedText {
  /** key of the block's fields and the index from which the text was made */
  readonly place: string;
  /** the JSON after the block's hash */
  readonly text: string;
}

const cached = new WeakMap<Transaction, CachedText>();

/**
 * The JSON of a block with full transactions, the same as `formatBlock` gives. An open block is formatted again with
 * each flashblock, so the texts of its transactions are cached.
 */
export function blockText(block: Block): string {
  const start = `${START}${hex(block.hash)}`;
  const transactions = block.transactions.map(
    (transaction, index) => start + restOf(transaction, block, index),
  );
  const [before, after] = JSON.stringify(formatBlock({ ...block, transactions: [] }, true)).split(
    '"transactions":[]',
  );
  return `${before}"transactions":[${transactions.join(',')}]${after}`;
}

function restOf(transaction: Transaction, block: Block, index: number): string {
  const { number, timestamp, baseFeePerGas } = block.header;
  const place = `${number} ${index} ${timestamp} ${block.timestampMs} ${baseFeePerGas}`;
  const known = cached.get(transaction);
  if (known?.place === place) return known.text;
  const text = JSON.stringify(formatTransaction(transaction, { block, index })).slice(START.length + 66);
  cached.set(transaction, { place, text });
  return text;
}
