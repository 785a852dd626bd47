import { DevnetError } from '../../errors.ts';
import { signTransaction } from '../../mempool/sign.ts';
import { transactionRequest } from '../codec-transaction.ts';
import { defineMethod } from '../define-method.ts';
import { fillTransaction } from '../fill-transaction.ts';
import { hex } from '../hex.ts';

/** Signs with a dev account and sends; what is left out is filled in. Answers the hash. */
export const eth_sendTransaction = defineMethod({
  name: 'eth_sendTransaction',
  params: [transactionRequest],
  handler: async (context, request) => {
    const { accounts, decoder, sequencer } = context;
    const from = request.from ?? accounts[0]?.address;
    const account = from && accounts.find(({ address }) => address.equals(from));
    if (!account)
      throw new DevnetError('invalidParams', { reason: `no signer available for ${from?.toString()}` });
    const send = async () => {
      const message = await fillTransaction(context, { ...request, from: account.address });
      const transaction = signTransaction(message, account, decoder.common);
      await sequencer.submit(transaction);
      return hex(transaction.hash);
    };
    return request.nonce === undefined ? sequencer.sends.run(send) : send();
  },
});
