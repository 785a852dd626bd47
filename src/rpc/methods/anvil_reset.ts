import { randomBytes } from 'node:crypto';
import { DevnetError } from '../../errors.ts';
import { mapped, object, optional } from '../codec.ts';
import { string } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { NO_FORK } from '../no-fork.ts';

const fork = object('an object with jsonRpcUrl', { jsonRpcUrl: optional(string) });
const resetOptions = mapped(
  object('an object with forking', { forking: optional(fork) }),
  // viem names a fork without a URL where it means none.
  ({ forking }) => ({ forking: forking?.jsonRpcUrl !== undefined }),
);

/** Back to the genesis block. A fork to reset to is refused: this chain is none. */
export const anvil_reset = defineMethod({
  name: 'anvil_reset',
  params: [optional(resetOptions)],
  handler: async ({ history, instance, shapes }, options) => {
    if (options?.forking) throw new DevnetError('invalidParams', { reason: NO_FORK });
    await history.reset();
    instance.id = new Uint8Array(randomBytes(32));
    return shapes.done;
  },
});
