import type { Block, Transaction } from '../../chain/block.ts';
import { hex } from '../codec/hex.ts';
import { formatBlock } from './block.ts';
import { formatTransaction } from './transaction.ts';

/** What a transaction's text begins with: the only member that changes while its block grows. */
const START = '{"blockHash":"';

interface Rest {
  /** the transaction's place, of which the rest of its text is made */
  readonly place: string;
  /** what follows the block's hash */
  readonly text: string;
}

const rests = new WeakMap<Transaction, Rest>();

/**
 * A block with whole transactions, as `formatBlock` makes it, as JSON. A block that grows is formatted again with each
 * index: what was made of a transaction before is used again.
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
  const known = rests.get(transaction);
  if (known?.place === place) return known.text;
  const text = JSON.stringify(formatTransaction(transaction, { block, index })).slice(START.length + 66);
  rests.set(transaction, { place, text });
  return text;
}
