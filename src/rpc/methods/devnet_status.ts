import { defineMethod } from '../define-method.ts';
import { statusOf } from '../read/status.ts';

/**
 * Returns what the node is and does at this moment: role, mode, timing of its ticks, mempool, subscriptions, memory, recording.
 * @returns an object
 */
export const devnet_status = defineMethod({
  kind: 'read',
  live: true,
  handler: statusOf,
});
