import type { BlockView, Transaction } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import { asksForDeposit } from '../../execution/call-request.ts';
import { depositOf, impersonate, signTransaction } from '../../mempool/sign.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import type { TransactionRequest } from '../codec/transaction.ts';
import type { RpcContext } from '../context.ts';
import { fillTransaction } from './fill-transaction.ts';

/**
 * Makes a transaction from a request, and fills in missing fields. It is signed if the node has the sender's private key, else impersonated
 * if that is allowed; a deposit needs neither. The default sender is the first dev account.
 * @param options.unsigned impersonates the sender in any case
 * @param options.into see {@link fillTransaction}
 * @throws DevnetError `unknownAccount`, or an error of the gas estimate
 */
export function makeTransaction(
  context: RpcContext,
  request: TransactionRequest,
  options: { unsigned?: boolean; into?: BlockView } = {},
): Awaitable<Transaction> {
  const { accounts, decoder, signers } = context;
  const from = request.from ?? accounts[0]?.address;
  if (!from) throw new DevnetError('invalidParams', { reason: 'params[0].from: the node has no account' });
  const isDeposit = asksForDeposit(request);
  const account = isDeposit || options.unsigned ? undefined : signers.find(from);
  if (isDeposit) decoder.checkDeposits();
  else if (!account && !options.unsigned && !signers.isImpersonated(from))
    throw new DevnetError('unknownAccount', { address: from.toString() });
  const filled = fillTransaction(context, request.from ? request : { ...request, from }, {
    toSend: true,
    into: options.into,
  });
  return andThen(filled, (message) => {
    if (message.deposit) return depositOf(message, message.deposit);
    return account ? signTransaction(message, account, decoder.common) : impersonate(message, decoder.common);
  });
}
