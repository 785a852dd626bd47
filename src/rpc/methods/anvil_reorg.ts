import type { Transaction } from '../../chain/block.ts';
import { anyOf, array, type Codec, invalid, withDefault } from '../codec.ts';
import { type TransactionRequest, transactionRequest } from '../codec-transaction.ts';
import { data, uint64 } from '../codecs.ts';
import type { RpcContext } from '../context.ts';
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
    // Before anything is taken back: one that can't be decoded changes nothing.
    const decoded = pairs.map(({ transaction, place }) => ({
      wanted: transaction instanceof Uint8Array ? context.decoder.decode(transaction) : transaction,
      place: Number(place),
    }));
    const listAt = async (at: number) => {
      const made: Transaction[] = [];
      for (const { wanted, place } of decoded) {
        if (place !== at) continue;
        made.push('raw' in wanted ? wanted : await makeNext(context, wanted, made));
      }
      return made;
    };
    await context.history.reorg(depth, { listAt });
    return context.shapes.done;
  },
});

/** With the sender's next nonce after those already made for the block. */
async function makeNext(
  context: RpcContext,
  request: TransactionRequest,
  made: readonly Transaction[],
): Promise<Transaction> {
  const { pool, accounts } = context;
  const { from = accounts[0]?.address } = request;
  if (request.nonce !== undefined || !from) return makeTransaction(context, request);
  const before = made.filter((transaction) => transaction.from.equals(from)).length;
  return makeTransaction(context, { ...request, nonce: (await pool.nextNonce(from)) + BigInt(before) });
}
