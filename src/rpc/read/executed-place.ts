import type { TransactionPosition } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import type { RpcContext } from '../context.ts';
import { findTransaction } from './find-transaction.ts';

/**
 * Returns the block and index of an executed transaction.
 * @throws DevnetError -32000 if the transaction is still waiting, and if there is none
 */
export function executedPlace(
  context: Pick<RpcContext, 'chain' | 'pool'>,
  hash: Uint8Array,
): TransactionPosition {
  const found = findTransaction(context, hash);
  if (found?.place) return found.place;
  const reason = found
    ? 'transaction not executed yet: devnet_transactionStatus tells what it waits for'
    : 'transaction not found';
  throw new DevnetError('server', { reason });
}
