import { DevnetError } from '../../errors.ts';
import { signTransaction } from '../../mempool/sign.ts';
import { hex } from '../codec/hex.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { fillTransaction } from '../send/fill-transaction.ts';

/**
 * Fills in the missing fields of a transaction, signs it with a dev account and returns its bytes. The transaction isn't sent.
 * @returns bytes
 * @geth geth returns `{ raw, tx }`, and fills in nothing: gas, fees and nonce must be given
 * @throws unknownAccount
 */
export const eth_signTransaction = defineMethod({
  kind: 'node',
  params: [transactionRequest],
  handler: async (context, request) => {
    const { signers, decoder, accounts } = context;
    const account = request.from ? signers.account(request.from) : accounts[0];
    if (!account)
      throw new DevnetError('invalidParams', { reason: 'params[0].from: the node has no account' });
    const message = await fillTransaction(context, { ...request, from: account.address }, { toSend: true });
    return hex(signTransaction(message, account, decoder.common).raw);
  },
});
