import type { TransactionPosition } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import type { RpcContext } from '../context.ts';
import { findTransaction } from './find-transaction.ts';

/**
 * Where a transaction was executed.
 * @throws DevnetError -32000 where it still waits, and where there is no such transaction
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
