import type { BlockView, Transaction } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import { asksForDeposit } from '../../execution/call-request.ts';
import { depositOf, impersonate, signTransaction } from '../../mempool/sign.ts';
import type { TransactionRequest } from '../codec/transaction.ts';
import type { RpcContext } from '../context.ts';
import { fillTransaction } from './fill-transaction.ts';

/**
 * Makes a transaction of a request and fills in missing fields. It is signed if the node has the sender's key, else
 * impersonated if that is allowed; a deposit needs neither. The default sender is the first dev account.
 * @param options.unsigned impersonates the sender in any case
 * @param options.into see {@link fillTransaction}
 * @throws DevnetError `unknownAccount`, or an error of the gas estimate
 */
export async function makeTransaction(
  context: RpcContext,
  request: TransactionRequest,
  options: { unsigned?: boolean; into?: BlockView } = {},
): Promise<Transaction> {
  const { accounts, decoder, signers } = context;
  const from = request.from ?? accounts[0]?.address;
  if (!from) throw new DevnetError('invalidParams', { reason: 'params[0].from: the node has no account' });
  if (asksForDeposit(request)) {
    decoder.checkDeposits();
    const { deposit, ...message } = await fillTransaction(
      context,
      { ...request, from },
      { toSend: true, into: options.into },
    );
    return depositOf(message, deposit!);
  }
  const mayImpersonate = options.unsigned || signers.isImpersonated(from);
  const account = options.unsigned ? undefined : signers.find(from);
  if (!account && !mayImpersonate) throw new DevnetError('unknownAccount', { address: from.toString() });
  const message = await fillTransaction(context, { ...request, from }, { toSend: true, into: options.into });
  return account ? signTransaction(message, account, decoder.common) : impersonate(message, decoder.common);
}
