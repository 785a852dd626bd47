import { DevnetError } from '../../errors.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Makes this follower of a log in Redis the leader. Waits some seconds where the last leader may still be alive.
 * @returns the part that the node then has in the log
 */
export const devnet_promote = defineMethod({
  kind: 'read',
  live: true,
  handler: async ({ member }) => {
    if (!member)
      throw new DevnetError('server', { reason: 'only a follower of a log in Redis can become the leader' });
    await member.promote();
    return member.status();
  },
});
