import { andThen } from '../../state/view.ts';
import { mineOptions } from '../codec/mine.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Seals a block with the waiting transactions now; in interval mode it seals the open block. The parameter is the block's timestamp in
 * seconds, or an object with `timestamp` and `blocks`, the number of blocks. For many blocks, and for errors, see `anvil_mine`.
 * @returns `'0x0'`; `'0'` as Hardhat
 * @throws timestampTooLow, timestampTooHigh
 */
export const evm_mine = defineMethod({
  kind: 'dev',
  params: [mineOptions],
  handler: ({ controls, shapes, cause }, { timestamp, blocks = 1n }) =>
    andThen(controls.mine(cause, blocks, { timestamp }), () => shapes.pick('0x0', '0')),
});
