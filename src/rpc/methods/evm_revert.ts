import { amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Goes back to a snapshot, which removes it and all later ones. Answers whether there is such a snapshot.
 * @returns true or false
 */
export const evm_revert = defineMethod({
  kind: 'dev',
  params: [amount],
  handler: ({ history, cause }, id) => history.revert(cause, id),
});
