import { depositOf, toBeSigned } from '../../mempool/sign.ts';
import { hex } from '../codec/hex.ts';
import { hexCallOf } from '../codec/hex-call.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { formatTransaction } from '../format/transaction.ts';
import { JsonText } from '../json-text.ts';
import { fillTransaction, offeredFees } from '../send/fill-transaction.ts';

/**
 * Fills in the fields that a transaction leaves out. Answers it as an object and as the bytes to be signed.
 * @returns `{ raw, tx }`
 */
export const eth_fillTransaction = defineMethod({
  kind: 'node',
  params: [transactionRequest],
  atOnce: ({ chain, caller, fees, fork }, params) => {
    const call = params.length === 1 && !fork ? hexCallOf(params[0]) : undefined;
    // Nothing waits where there is an opening, so the next nonce is that of the account.
    const opening = call?.from ? chain.opening : undefined;
    const baseFee = opening?.start.env.baseFeePerGas;
    if (baseFee === undefined) return undefined;
    const json = caller.fillHex(opening!, call!, offeredFees(baseFee, fees.suggestedTip, {}));
    return json && new JsonText(json);
  },
  handler: async (context, request) => {
    const from = request.from ?? context.accounts[0]?.address;
    const message = await fillTransaction(context, { ...request, ...(from && { from }) });
    const filled = message.deposit
      ? depositOf(message, message.deposit)
      : toBeSigned(message, context.decoder.common);
    const { blockHash, blockNumber, blockTimestamp, transactionIndex, gasPrice, ...fields } =
      formatTransaction(filled);
    // As in geth, none with fees of EIP-1559: viem hands on both, which a call may not have.
    return { raw: hex(filled.raw), tx: 'maxFeePerGas' in fields ? fields : { ...fields, gasPrice } };
  },
});
