import { andThen } from '../../state/view.ts';
import { quantity as toHex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Takes a snapshot of the chain, and returns an id for `evm_revert`. Ids count up; snapshots are lost when the process ends.
 * @returns a quantity
 */
export const evm_snapshot = defineMethod({
  kind: 'dev',
  handler: ({ history, cause }) => andThen(history.snapshot(cause), toHex),
});
