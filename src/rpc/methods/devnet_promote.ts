import { DevnetError } from '../../errors.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Makes this node the leader; it must be a follower of a log in Redis. Waits some seconds if the previous leader may still be alive.
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
