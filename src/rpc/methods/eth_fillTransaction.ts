import { unsignedTransaction } from '../../mempool/sign.ts';
import { keccak256 } from '../../state/keccak.ts';
import { transactionRequest } from '../codec-transaction.ts';
import { defineMethod } from '../define-method.ts';
import { fillTransaction } from '../fill-transaction.ts';
import { formatTransaction } from '../format-transaction.ts';
import { hex } from '../hex.ts';

/** A transaction with what is left out filled in: as an object, and as the bytes that are to be signed. */
export const eth_fillTransaction = defineMethod({
  name: 'eth_fillTransaction',
  params: [transactionRequest],
  handler: async (context, request) => {
    const from = request.from ?? context.accounts[0]?.address;
    const message = await fillTransaction(context, { ...request, ...(from && { from }) });
    const tx = unsignedTransaction(message, context.decoder.common);
    const raw = tx.serialize();
    const { blockHash, blockNumber, blockTimestamp, transactionIndex, ...fields } = formatTransaction({
      tx,
      from: message.from,
      hash: new Uint8Array(keccak256(raw)),
      raw,
      impersonated: false,
    });
    return { raw: hex(raw), tx: fields };
  },
});
