import { andThen } from '../../state/view.ts';
import { quantity as toHex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Remembers the chain's state. Answers an id for `evm_revert`; ids count up and end with the process.
 * @returns a quantity
 */
export const evm_snapshot = defineMethod({
  kind: 'dev',
  handler: ({ history, cause }) => andThen(history.snapshot(cause), toHex),
});
