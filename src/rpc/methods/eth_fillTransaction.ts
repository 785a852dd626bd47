import { depositOf, toBeSigned } from '../../mempool/sign.ts';
import { hex } from '../codec/hex.ts';
import { hexCallOf } from '../codec/hex-call.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { formatTransaction } from '../format/transaction.ts';
import { JsonText } from '../json-text.ts';
import { fillTransaction, offeredFees } from '../send/fill-transaction.ts';

/** The place of a transaction that is in no block, as anvil writes it. */
const NO_PLACE = { blockHash: null, blockNumber: null, transactionIndex: null };
const NO_PLACE_JSON = `,${JSON.stringify(NO_PLACE).slice(1)}`;

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
  atOnce: ({ chain, caller, fees, fork, shapes }, params) => {
    const call = params.length === 1 && !fork ? hexCallOf(params[0]) : undefined;
    // Nothing waits where there is an opening, so the next nonce is that of the account.
    const opening = call?.from ? chain.opening : undefined;
    const baseFee = opening?.start.env.baseFeePerGas;
    if (baseFee === undefined) return undefined;
    const { fills } = shapes;
    const offered = offeredFees(baseFee, {}, { tip: fees.suggestedTip, toSend: false, fills });
    const json = caller.fillHex(opening!, call!, offered);
    // It ends with the braces of `tx` and of the whole.
    return json && new JsonText(fills === 'anvil' ? `${json.slice(0, -2)}${NO_PLACE_JSON}}` : json);
  },
  handler: async (context, request) => {
    const { accounts, decoder, shapes } = context;
    const from = request.from ?? accounts[0]?.address;
    const message = await fillTransaction(context, { ...request, ...(from && { from }) });
    const isAnvil = shapes.fills === 'anvil';
    const filled = message.deposit
      ? depositOf(message, message.deposit)
      : toBeSigned(message, decoder.common, { isProtected: isAnvil });
    const { blockHash, blockNumber, blockTimestamp, transactionIndex, ...fields } = formatTransaction(filled);
    return { raw: hex(filled.raw), tx: isAnvil ? { ...fields, ...NO_PLACE } : fields };
  },
});
