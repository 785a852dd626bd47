import type { BlockView, Transaction } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import { asksForDeposit } from '../../execution/call-request.ts';
import { depositOf, impersonate, signTransaction } from '../../mempool/sign.ts';
import type { TransactionRequest } from '../codec/transaction.ts';
import type { RpcContext } from '../context.ts';
import { fillTransaction } from './fill-transaction.ts';

/**
 * A request as a transaction, with what is left out filled in: signed with the sender's key where the node has it, else
 * impersonated where that is allowed. A deposit needs neither. The first dev account sends where nobody is named.
 * @param options.unsigned impersonates any sender
 * @param options.into see {@link fillTransaction}
 * @throws DevnetError `unknownAccount`; and as the estimate of the gas
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
