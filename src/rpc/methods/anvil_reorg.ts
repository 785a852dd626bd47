import type { Transaction } from '../../chain/block.ts';
import { anyOf, array, type Codec, invalid, withDefault } from '../codec.ts';
import { type TransactionRequest, transactionRequest } from '../codec-transaction.ts';
import { data, uint64 } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { makeTransaction } from '../make-transaction.ts';

const transaction = anyOf('a raw transaction or a transaction object', data, transactionRequest);

/** [transaction, place of its block among the new ones, from 0] */
const pair: Codec<{ transaction: Uint8Array | TransactionRequest; place: bigint }> = {
  decode: (value, path) => {
    if (!Array.isArray(value) || value.length !== 2)
      return invalid(path, 'a pair of transaction and place', value);
    return {
      transaction: transaction.decode(value[0], `${path}[0]`),
      place: uint64.decode(value[1], `${path}[1]`),
    };
  },
};

/** Puts that many other blocks in the place of the newest ones, with the transactions given and no others. */
export const anvil_reorg = defineMethod({
  name: 'anvil_reorg',
  params: [uint64, withDefault(array(pair), [])],
  handler: async (context, depth, pairs) => {
    for (const [i, { place }] of pairs.entries())
      if (place >= depth)
        invalid(`params[1][${i}][1]`, `a place below the depth of ${depth}`, place.toString());
    await context.history.reorg(depth, async (place) => {
      const made: Transaction[] = [];
      for (const entry of pairs) {
        if (entry.place !== place) continue;
        const wanted = entry.transaction;
        if (wanted instanceof Uint8Array) made.push(context.decoder.decode(wanted));
        else
          made.push(
            await makeTransaction(context, { ...wanted, ...(await nonceAfter(context, wanted, made)) }),
          );
      }
      return made;
    });
    return context.shapes.done;
  },
});

/** The sender's next nonce after those already made for the block. */
async function nonceAfter(
  { pool, accounts }: Parameters<typeof anvil_reorg.call>[0],
  { nonce, from = accounts[0]?.address }: TransactionRequest,
  made: readonly Transaction[],
): Promise<{ nonce?: bigint }> {
  if (nonce !== undefined || !from) return {};
  const before = made.filter((transaction) => transaction.from.equals(from)).length;
  return { nonce: (await pool.nextNonce(from)) + BigInt(before) };
}
