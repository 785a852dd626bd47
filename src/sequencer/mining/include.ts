import type { Transaction } from '../../chain/block.ts';
import type { BlockBuilder } from '../../chain/block-builder.ts';
import { DevnetError } from '../../errors.ts';
import { giveWay, type Pauses } from '../../turns.ts';

/**
 * Adds all given transactions to a block, in the given order.
 * @param options.gasCap whether EIP-7825's cap on the gas of one transaction applies
 * @param options.pauses lets other work run between two transactions
 * @param options.first number of the first transaction in error messages
 * @throws DevnetError -32000 naming the first transaction that can't be included
 */
export async function include(
  builder: BlockBuilder,
  transactions: readonly Transaction[],
  { gasCap, first = 0, pauses }: { gasCap: boolean; first?: number; pauses?: Pauses | undefined },
): Promise<void> {
  for (const [index, transaction] of transactions.entries()) {
    const refuse = (reason: string) =>
      new DevnetError('server', { reason: `failed to include transaction ${first + index}: ${reason}` });
    const room = builder.room(transaction);
    if (room !== 'fits') throw refuse(room === 'gas' ? 'gas limit reached' : 'blob gas limit reached');
    const outcome = await builder.add(transaction, { gasCap });
    if (outcome.kind === 'invalid') throw refuse(outcome.error.message);
    if (pauses) await giveWay(pauses);
  }
}
