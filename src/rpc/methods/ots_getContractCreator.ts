import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { contractCreator } from '../read/contract-creator.ts';

/** Who created a contract, and in which transaction; null for what no transaction created. */
export const ots_getContractCreator = defineMethod({
  name: 'ots_getContractCreator',
  kind: 'read',
  forkable: true,
  params: [address],
  handler: async (context, account) => (await contractCreator(account, context)) ?? null,
});
