import { defineMethod } from '../define-method.ts';
import { statusOf } from '../read/status.ts';

/**
 * Returns the node's present status: role, mode, timing of its ticks, mempool, subscriptions, memory, recording.
 * @returns an object
 */
export const devnet_status = defineMethod({
  kind: 'read',
  live: true,
  handler: statusOf,
});
