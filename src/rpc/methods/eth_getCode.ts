import { andThen } from '../../state/view.ts';
import { blockRef } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { readState } from '../read/block-at.ts';

/**
 * Returns an account's code, or `0x` if it has none.
 * @returns bytes
 */
export const eth_getCode = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, blockRef],
  handler: ({ chain }, account, ref) =>
    readState(chain, ref, (state) => andThen(state.getCode(account), hex)),
});
