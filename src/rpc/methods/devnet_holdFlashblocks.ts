import { DevnetError } from '../../errors.ts';
import { preconfirms } from '../../sequencer/mining/mode.ts';
import { anyOf, object } from '../codec/codec.ts';
import { count, milliseconds } from '../codec/duration.ts';
import { defineMethod } from '../define-method.ts';

const intervals = object('an object with count', { count });

/**
 * Publishes no flashblocks for the given number of milliseconds, or for `count` flashblock intervals. Then everything that was due is
 * published as one flashblock.
 * @returns true
 */
export const devnet_holdFlashblocks = defineMethod({
  kind: 'dev',
  params: [anyOf('milliseconds or an object with count', milliseconds, intervals)],
  handler: async ({ sequencer, cause }, wanted) => {
    const { mode } = sequencer;
    if (!preconfirms(mode))
      throw new DevnetError('server', { reason: 'there are no flashblocks in this mode' });
    await sequencer.hold(cause, typeof wanted === 'number' ? wanted : wanted.count * mode.flashblockInterval);
    return true;
  },
});
