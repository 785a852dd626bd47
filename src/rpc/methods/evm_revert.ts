import { amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Back to a snapshot, which is consumed, and all later ones. Answers whether there is such a one. */
export const evm_revert = defineMethod({
  name: 'evm_revert',
  kind: 'dev',
  params: [amount],
  handler: ({ history, cause }, id) => history.revert(cause, id),
});
