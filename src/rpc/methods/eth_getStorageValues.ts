import { DevnetError } from '../../errors.ts';
import { blockRef } from '../codec/block-ref.ts';
import { array, record } from '../codec/codec.ts';
import { word } from '../codec/hex.ts';
import { address, slot } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/** slots per request, as in geth */
const MAX_SLOTS = 1024;

/**
 * Returns the 32 bytes in given storage slots of several accounts, in the order of the request. At most 1,024 slots.
 * @returns `{ address: [32 bytes] }`
 */
export const eth_getStorageValues = defineMethod({
  kind: 'read',
  forkable: true,
  params: [record('an object of addresses and slots', address, array(slot)), blockRef],
  handler: async ({ chain }, accounts, ref) => {
    const slots = accounts.reduce((sum, [, keys]) => sum + keys.length, 0);
    if (slots > MAX_SLOTS)
      throw new DevnetError('clientLimit', { reason: `too many slots (max ${MAX_SLOTS})` });
    if (slots === 0) throw new DevnetError('invalidParams', { reason: 'empty request' });
    const { state } = await blockAt(chain, ref);
    const values: Record<string, string[]> = {};
    for (const [account, keys] of accounts) {
      const words: string[] = [];
      for (const key of keys) words.push(word(await state.getStorage(account, key)));
      values[account.toString()] = words;
    }
    return values;
  },
});
