import { defineMethod } from '../define-method.ts';

/**
 * Returns when the newest sealed block became the head, by the machine's clock, in milliseconds since the Unix epoch. Methods that move
 * chain time, such as `evm_increaseTime`, don't affect it.
 * @returns a number
 */
export const anvil_getLastBlockWallTime = defineMethod({
  kind: 'node',
  live: true,
  handler: ({ headSince }) => headSince(),
});
