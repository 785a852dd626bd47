import { depositOf, toBeSigned } from '../../mempool/sign.ts';
import { andThen } from '../../state/view.ts';
import { hex } from '../codec/hex.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { formatTransaction } from '../format/transaction.ts';
import { fillTransaction } from '../send/fill-transaction.ts';

/** A transaction that is in no block has these fields in anvil. */
const NO_PLACE = { blockHash: null, blockNumber: null, transactionIndex: null };

/**
 * Fills in the missing fields of a transaction. Returns it as an object, and as bytes with zeros in place of the signature. For a
 * transaction with a fee cap, `gasPrice` is the fee cap. On an imported chain the fee cap is high enough for the base fee to double, as in
 * geth. Otherwise it is the present gas price, as in anvil, and the object also has `blockHash`, `blockNumber` and `transactionIndex`,
 * which are null.
 * @returns `{ raw, tx }`
 * @geth geth returns null for the gas price of a transaction with EIP-1559 fees; the specification requires a quantity
 */
export const eth_fillTransaction = defineMethod({
  kind: 'node',
  params: [transactionRequest],
  handler: (context, request) => {
    const { accounts, decoder, shapes } = context;
    const from = request.from ?? accounts[0]?.address;
    const isAnvil = shapes.fills === 'anvil';
    return andThen(fillTransaction(context, { ...request, ...(from && { from }) }), (message) => {
      const filled = message.deposit
        ? depositOf(message, message.deposit)
        : toBeSigned(message, decoder.common, { isProtected: isAnvil });
      const { blockHash, blockNumber, blockTimestamp, transactionIndex, ...fields } =
        formatTransaction(filled);
      return { raw: hex(filled.raw), tx: isAnvil ? { ...fields, ...NO_PLACE } : fields };
    });
  },
});
