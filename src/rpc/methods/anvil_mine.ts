import { optional, withDefault } from '../codec/codec.ts';
import { blockCount } from '../codec/mine.ts';
import { amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Seals that many blocks, one unless told; the second number is the seconds from one to the next. */
export const anvil_mine = defineMethod({
  name: 'anvil_mine',
  kind: 'dev',
  params: [withDefault(blockCount, 1n), optional(amount64)],
  handler: async ({ controls, shapes, cause }, blocks, interval) => {
    // 0 is what clients send for nothing.
    await controls.mine(cause, blocks, { interval: interval || undefined });
    return shapes.done;
  },
});
