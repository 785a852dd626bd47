import { withDefault } from '../codec/codec.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Removes the given number of newest sealed blocks, 1 by default.
 * @returns null; true as Hardhat
 */
export const anvil_rollback = defineMethod({
  kind: 'dev',
  params: [withDefault(uint64, 1n)],
  handler: async ({ history, shapes, cause }, depth) => {
    await history.rollback(cause, depth);
    return shapes.done;
  },
});
