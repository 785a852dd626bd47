import { DevnetError } from '../../errors.ts';
import { readBytes } from '../../remote/wire.ts';
import { isObject } from '../codec/codec.ts';
import { quantity } from '../codec/hex.ts';
import type { Candidate } from '../read/transaction-search.ts';
import type { ForkContext } from './context.ts';

/**
 * Returns the transactions of a block of the chain from which this one was forked, from that chain's node.
 * @throws DevnetError with that node's error, or `remoteFailed` if it didn't answer
 */
export async function remoteBlock(fork: ForkContext, number: bigint): Promise<Candidate[]> {
  const block = await fork.request('eth_getBlockByNumber', [quantity(number), true]);
  const transactions = isObject(block) ? block.transactions : [];
  if (!Array.isArray(transactions)) throw bad(fork, 'eth_getBlockByNumber');
  if (transactions.length === 0) return [];
  const receipts = await fork.request('eth_getBlockReceipts', [quantity(number)]);
  if (!Array.isArray(receipts) || receipts.length !== transactions.length)
    throw bad(fork, 'eth_getBlockReceipts');
  const { timestamp } = block as Record<string, unknown>;
  return transactions.map((transaction, index) => {
    const receipt: unknown = receipts[index];
    if (!isObject(transaction) || !isObject(receipt)) throw bad(fork, 'eth_getBlockReceipts');
    return {
      from: String(transaction.from).toLowerCase(),
      to: typeof transaction.to === 'string' ? transaction.to.toLowerCase() : undefined,
      selector: readBytes(transaction.input ?? '0x', 'input').subarray(0, 4),
      failed: receipt.status === '0x0',
      write: () => ({ transaction, receipt: { ...receipt, timestamp } }),
    };
  });
}

function bad(fork: ForkContext, method: string): DevnetError {
  return new DevnetError('remoteFailed', {
    host: new URL(fork.url).host,
    method,
    reason: 'its answer is no block with its transactions and receipts',
  });
}
