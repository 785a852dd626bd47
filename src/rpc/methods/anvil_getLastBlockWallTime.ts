import { defineMethod } from '../define-method.ts';

/**
 * When the newest sealed block became the head, by the machine's clock: milliseconds since the Unix epoch. Unlike the
 * block's timestamp it isn't moved by `evm_increaseTime` and the like.
 * @returns a number
 */
export const anvil_getLastBlockWallTime = defineMethod({
  kind: 'node',
  live: true,
  handler: ({ headSince }) => headSince(),
});
