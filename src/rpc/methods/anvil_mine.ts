import { DevnetError } from '../../errors.ts';
import { optional, withDefault } from '../codec.ts';
import { uint64 } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';

/** Each block is made and stored: more than this would hold everything else up for many minutes. */
const MAX_BLOCKS = 1_000_000n;

/** Seals that many blocks, one unless told; the second number is the seconds from one to the next. */
export const anvil_mine = defineMethod({
  name: 'anvil_mine',
  params: [withDefault(uint64, 1n), optional(uint64)],
  handler: async ({ controls, shapes }, blocks, interval) => {
    if (blocks > MAX_BLOCKS) {
      const reason = `params[0]: expected at most ${MAX_BLOCKS} blocks, got ${blocks}`;
      throw new DevnetError('invalidParams', { reason });
    }
    // 0 is what clients send for nothing.
    await controls.mine(blocks, { interval: interval || undefined });
    return shapes.done;
  },
});
