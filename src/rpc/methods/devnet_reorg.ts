import { object, optional, withDefault } from '../codec/codec.ts';
import { count } from '../codec/duration.ts';
import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

const options = object('an object with reinclude', { reinclude: optional(boolean) });

/**
 * Replaces the given number of newest sealed blocks by as many new ones. The transactions of the old blocks go back to the mempool and into
 * the new blocks, unless `reinclude` is false. State changes that dev methods made since then are lost.
 * @returns true
 */
export const devnet_reorg = defineMethod({
  kind: 'dev',
  params: [count, withDefault(options, {})],
  handler: async ({ history, cause }, depth, { reinclude = true }) => {
    await history.reorg(cause, BigInt(depth), { reinclude });
    return true;
  },
});
