import { data } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { loadAccounts } from '../dump/load-accounts.ts';
import { readDump } from '../dump/read-dump.ts';

/** Puts the accounts of a dump in anvil's format into the chain's state. A dev write (SPEC 3). */
export const anvil_loadState = defineMethod({
  name: 'anvil_loadState',
  params: [data],
  handler: async (context, bytes) => {
    await loadAccounts(context, readDump(bytes));
    return true;
  },
});
