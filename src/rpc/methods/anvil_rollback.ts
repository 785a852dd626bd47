import { withDefault } from '../codec/codec.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Takes that many sealed blocks back, one unless told. */
export const anvil_rollback = defineMethod({
  name: 'anvil_rollback',
  kind: 'dev',
  params: [withDefault(uint64, 1n)],
  handler: async ({ history, shapes, cause }, depth) => {
    await history.rollback(cause, depth);
    return shapes.done;
  },
});
