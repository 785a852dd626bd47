import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { notImplemented } from '../not-implemented.ts';

/**
 * Always fails, as in anvil: fees in tokens exist only on the Tempo network.
 * @returns an error
 */
export const anvil_setValidatorFeeToken = defineMethod({
  kind: 'dev',
  // Nothing to record: the call is rejected.
  recorded: false,
  params: [address, address],
  handler: notImplemented,
});
