import type { BlockView } from '../../chain/block.ts';
import { anyOf, array, type Codec, invalid, withDefault } from '../codec/codec.ts';
import { type TransactionRequest, transactionRequest } from '../codec/transaction.ts';
import { data, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { makeTransaction } from '../send/make-transaction.ts';

const transaction = anyOf('a raw transaction or a transaction object', data, transactionRequest);

/** [transaction, index of its block among the new blocks, from 0] */
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

/**
 * Replaces the given number of newest blocks by as many new ones. The new blocks contain the given transactions only, each a pair of a
 * transaction and the index of its block among the new ones, from 0. If one of them can't be included, the chain stays as it is.
 * @returns null; true as Hardhat
 */
export const anvil_reorg = defineMethod({
  kind: 'dev',
  params: [uint64, withDefault(array(pair), [])],
  handler: async (context, depth, pairs) => {
    for (const [i, { place }] of pairs.entries())
      if (place >= depth)
        invalid(`params[1][${i}][1]`, `a place below the depth of ${depth}`, place.toString());
    // Decoded before blocks are removed: a transaction that can't be decoded changes nothing.
    const decoded = pairs.map(({ transaction, place }) => ({
      wanted: transaction instanceof Uint8Array ? context.decoder.decode(transaction) : transaction,
      place: Number(place),
    }));
    const given = decoded.map(({ wanted, place }) => ({
      place,
      make: (block: BlockView) =>
        'raw' in wanted ? wanted : makeTransaction(context, wanted, { into: block }),
    }));
    await context.history.reorg(context.cause, depth, { given });
    return context.shapes.done;
  },
});
