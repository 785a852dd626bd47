import { DevnetError } from '../../errors.ts';
import { string } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { NO_FORK } from '../no-fork.ts';

/** Refused: there is no forked chain to read from. */
export const anvil_setRpcUrl = defineMethod({
  name: 'anvil_setRpcUrl',
  params: [string],
  handler: () => {
    throw new DevnetError('server', { reason: NO_FORK });
  },
});
