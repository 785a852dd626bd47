import { randomBytes } from 'node:crypto';
import { object, optional } from '../codec/codec.ts';
import { string, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

const target = { jsonRpcUrl: optional(string), blockNumber: optional(uint64) };
const resetOptions = object('an object with forking', {
  ...target,
  forking: optional(object('an object with jsonRpcUrl and blockNumber', target)),
});

/**
 * Restarts the chain: as a fork of another chain if `forking` is given, else from the genesis block, as anvil does. A chain that isn't
 * forked returns to its genesis block, unless `jsonRpcUrl` or `blockNumber` is given.
 * @returns null; true as Hardhat
 */
export const anvil_reset = defineMethod({
  kind: 'dev',
  params: [optional(resetOptions)],
  handler: async (context, options) => {
    const { fork, history, instance, shapes, cause } = context;
    const { jsonRpcUrl: url, blockNumber } = options?.forking ?? options ?? {};
    if (options && (fork ?? url ?? blockNumber) !== undefined)
      await context.refork(cause, { url, blockNumber });
    else if (fork) await context.refork(cause, undefined);
    else await history.reset(cause);
    instance.id = new Uint8Array(randomBytes(32));
    return shapes.done;
  },
});
