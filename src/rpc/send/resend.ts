import { equalsBytes } from '@ethereumjs/util';
import { DevnetError } from '../../errors.ts';
import type { CallRequest } from '../../execution/call-request.ts';
import type { Message } from '../../protocol/types.ts';
import type { Hex } from '../codec/hex.ts';
import type { TransactionRequest } from '../codec/transaction.ts';
import type { RpcContext } from '../context.ts';
import { requestOf, sendRequest } from './send.ts';

const LEGACY = 2n;
const BLOBS = 3n;

/**
 * Replaces a waiting transaction by one with another gas price or gas limit; 0 leaves a value unchanged. All fields given in the request
 * must match the waiting transaction.
 * @param gasPrice wei per gas; sets both fee cap and tip of a transaction that has them
 * @returns the new transaction's hash
 * @throws DevnetError -32000 if no such transaction is waiting, else like {@link sendRequest}
 */
export async function resend(
  context: RpcContext,
  request: TransactionRequest,
  gasPrice = 0n,
  gasLimit = 0n,
): Promise<Hex> {
  const { accounts, pool } = context;
  const { nonce } = request;
  if (nonce === undefined)
    throw new DevnetError('invalidParams', {
      reason: 'params[0]: missing transaction nonce in transaction spec',
    });
  const from = request.from ?? accounts[0]?.address;
  const waiting = from && pool.at(from, nonce);
  const known = waiting && requestOf(waiting);
  if (!known || known.sourceHash || !agrees(request, known))
    throw new DevnetError('server', {
      reason: `transaction with nonce ${nonce} of ${from ?? 'nobody'} not found among those that wait`,
    });
  if (known.type === BLOBS)
    throw new DevnetError('server', {
      reason: 'a blob transaction can not be sent again: the node no longer has its blobs',
    });
  return sendRequest(context, {
    ...withPrice(known, gasPrice),
    ...(gasLimit > 0n && { gas: gasLimit }),
  });
}

function withPrice(known: CallRequest, gasPrice: bigint): CallRequest {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, ...rest } = known;
  const isLegacy = known.type! < LEGACY;
  if (isLegacy) return { ...rest, gasPrice: gasPrice || maxFeePerGas };
  return {
    ...rest,
    maxFeePerGas: gasPrice || maxFeePerGas,
    maxPriorityFeePerGas: gasPrice || maxPriorityFeePerGas,
  };
}

/** Whether all given fields of a request match a known transaction. */
function agrees(request: TransactionRequest, known: CallRequest): boolean {
  const { from: _, to, data, gasPrice, accessList, authorizationList, chainId: __, ...numbers } = request;
  if (to && !known.to?.equals(to)) return false;
  if (data && !equalsBytes(data, known.data!)) return false;
  if (gasPrice !== undefined && (known.type! >= LEGACY || gasPrice !== known.maxFeePerGas)) return false;
  if (accessList && !sameAccess(accessList, known.accessList!)) return false;
  if (authorizationList && authorizationList.length !== known.authorizationList?.length) return false;
  const same = ['type', 'gas', 'value', 'nonce', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;
  return same.every((name) => numbers[name] === undefined || numbers[name] === known[name]);
}

function sameAccess(one: Message['accessList'], other: Message['accessList']): boolean {
  const textOf = (list: Message['accessList']) =>
    list
      .map(({ address, storageKeys }) => `${address} ${storageKeys.map((key) => key.join()).join(' ')}`)
      .join();
  return textOf(one) === textOf(other);
}
