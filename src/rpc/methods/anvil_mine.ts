import { andThen } from '../../state/view.ts';
import { optional, withDefault } from '../codec/codec.ts';
import { blockCount } from '../codec/mine.ts';
import { amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Seals the given number of blocks: 1 by default, at most 5,000,000. If an error occurs, none of them is sealed. The second parameter is
 * the number of seconds between blocks; the first block's timestamp is that many seconds after the present chain time (with `--compat
 * hardhat`: at the present chain time). `evm_setNextBlockTimestamp` and `anvil_setBlockTimestampInterval` take precedence over it. If more
 * than 1,000 blocks are sealed, the empty ones are computed only when they are read, see docs/storage.md.
 * @returns null; true as Hardhat
 */
export const anvil_mine = defineMethod({
  kind: 'dev',
  params: [withDefault(blockCount, 1n), optional(amount64)],
  handler: ({ controls, shapes, cause }, blocks, interval) =>
    // Clients send 0 when no interval was given.
    andThen(controls.mine(cause, blocks, { interval: interval || undefined }), () => shapes.done),
});
