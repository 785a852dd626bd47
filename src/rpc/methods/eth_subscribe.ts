import { DevnetError } from '../../errors.ts';
import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { topicOf } from '../push/topic.ts';

/**
 * Starts notifications on the client's connection, and returns the id of the subscription, which each notification contains. The first
 * parameter is the kind: `newHeads`, `logs`, `newPendingTransactions`, `syncing`, `newFlashblocks`, `newFlashblockDiffs`, `pendingLogs` or
 * `newFlashblockTransactions`. The second one is a filter object for `logs` and `pendingLogs`; `true` for whole transactions instead of
 * hashes; for `newFlashblockTransactions` also a filter object.
 * @returns the id of the subscription, a quantity
 * @geth geth lacks the subscriptions for pre-confirmations: newFlashblocks, newFlashblockDiffs, pendingLogs, newFlashblockTransactions
 */
export const eth_subscribe = defineMethod({
  kind: 'read',
  params: [string, { decode: (argument) => argument }],
  handler: ({ subscriptions, connection }, kind, argument) => {
    const topic = topicOf(kind, argument);
    if (connection) return subscriptions.add(connection, topic);
    const reason = 'eth_subscribe needs a connection that stays open: use ws:// instead of http://';
    throw new DevnetError('server', { reason });
  },
});
