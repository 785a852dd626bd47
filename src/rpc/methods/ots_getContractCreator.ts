import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { contractCreator } from '../read/contract-creator.ts';

/**
 * Returns the creator of a contract and the transaction that created it, or null if no transaction did.
 * @returns `{ hash, creator }`, or null
 */
export const ots_getContractCreator = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  transactionOf: (answer) => (answer as { hash?: unknown }).hash,
  params: [address],
  handler: async (context, account) => (await contractCreator(account, context)) ?? null,
});
