import type { Address } from '@ethereumjs/util';
import { DevnetError } from '../../errors.ts';
import { readQuantity } from '../../remote/wire.ts';
import { isObject } from '../codec/codec.ts';
import type { ForkContext } from './context.ts';

/** A page of the results of Otterscan's searches, newest transaction first. */
export interface OtsPage {
  readonly txs: readonly unknown[];
  /** as many as `txs`, in the same order */
  readonly receipts: readonly unknown[];
  /** there are no newer transactions */
  readonly firstPage: boolean;
  /** there are no older transactions */
  readonly lastPage: boolean;
}

/**
 * Returns a page of the transactions that involve an address on the chain from which this one was forked, from that chain's node.
 * Transactions after the fork block are omitted, since they aren't part of this chain.
 * @param search.number the block before or after which to search, exclusive; with `After`, 0 starts at the first block
 * @returns `firstPage`: the page reaches the fork block
 * @throws DevnetError -32000 if the other node can't search, `remoteFailed` if it doesn't answer
 */
export async function searchRemote(
  fork: ForkContext,
  direction: 'Before' | 'After',
  search: { readonly address: Address; readonly number: bigint; readonly size: number },
): Promise<OtsPage> {
  const method = `ots_searchTransactions${direction}`;
  let answer: unknown;
  try {
    // Otterscan's specification uses numbers here, not hex quantities.
    answer = await fork.request(method, [search.address.toString(), Number(search.number), search.size]);
  } catch (error) {
    if (!(error instanceof DevnetError) || error.kind === 'remoteFailed') throw error;
    throw new DevnetError('server', {
      reason:
        `blocks up to ${fork.number} are on the chain that this one was forked from, and its node can't search them ` +
        `(${method}): ${error.message}`,
    });
  }
  if (!isPage(answer))
    throw new DevnetError('remoteFailed', {
      host: new URL(fork.url).host,
      method,
      reason: 'its answer is no object with txs and receipts',
    });
  const isHere = answer.txs.map(
    (transaction) =>
      isObject(transaction) && readQuantity(transaction.blockNumber, 'blockNumber') <= fork.number,
  );
  return {
    txs: answer.txs.filter((_, index) => isHere[index]),
    receipts: answer.receipts.filter((_, index) => isHere[index]),
    firstPage: answer.firstPage || isHere.includes(false),
    lastPage: answer.lastPage,
  };
}

function isPage(answer: unknown): answer is OtsPage {
  return (
    isObject(answer) &&
    Array.isArray(answer.txs) &&
    Array.isArray(answer.receipts) &&
    answer.txs.length === answer.receipts.length
  );
}
