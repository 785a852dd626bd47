import { andThen } from '../../state/view.ts';
import { optional, withDefault } from '../codec/codec.ts';
import { blockCount } from '../codec/mine.ts';
import { amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Seals the given number of blocks, 1 by default, at most 5,000,000. The second parameter is the number of seconds between them; the
 * first block comes so many seconds after the present chain time, and as Hardhat at that time. `evm_setNextBlockTimestamp` and
 * `anvil_setBlockTimestampInterval` precede. Of more than 1,000 the empty ones are computed when they are read, see docs/storage.md. All
 * are sealed, or none where that ends in an error.
 * @returns null; true as Hardhat
 */
export const anvil_mine = defineMethod({
  kind: 'dev',
  params: [withDefault(blockCount, 1n), optional(amount64)],
  handler: ({ controls, shapes, cause }, blocks, interval) =>
    // 0 is what clients send for nothing.
    andThen(controls.mine(cause, blocks, { interval: interval || undefined }), () => shapes.done),
});
