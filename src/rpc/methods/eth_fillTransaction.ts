import { depositOf, toBeSigned } from '../../mempool/sign.ts';
import { andThen } from '../../state/view.ts';
import { hex } from '../codec/hex.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { formatTransaction } from '../format/transaction.ts';
import { fillTransaction } from '../send/fill-transaction.ts';

/** The place of a transaction that is in no block, as anvil writes it. */
const NO_PLACE = { blockHash: null, blockNumber: null, transactionIndex: null };

/**
 * Fills in the fields that a transaction leaves out. Answers it as an object, and as bytes with a signature of zeros. `gasPrice` is the fee
 * cap where a transaction has one. On an imported chain the fee cap that is filled in suffices if the base fee doubles, as in geth; else
 * it is the gas price of this moment, as in anvil, and the object has `blockHash`, `blockNumber` and `transactionIndex`, which are null.
 * @returns `{ raw, tx }`
 * @geth geth writes null for the gas price of a transaction with fees of EIP-1559; the specification wants a quantity
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
