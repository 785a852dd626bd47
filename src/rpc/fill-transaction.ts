import type { Message } from '../evm/types.ts';
import { toMessage } from '../simulate/call-request.ts';
import { blockAt } from './block-at.ts';
import type { TransactionRequest } from './codec-transaction.ts';
import type { RpcContext } from './context.ts';
import { SUGGESTED_TIP } from './suggested-tip.ts';

/**
 * Fills in what a sender left out: the next nonce, an estimate of the gas, fees that last through a doubling of the base
 * fee (before London a gas price). Fails as the estimate does.
 */
export async function fillTransaction(context: RpcContext, request: TransactionRequest): Promise<Message> {
  const { chain, caller, pool, fees, chainId } = context;
  const nonce = request.nonce ?? (request.from ? await pool.nextNonce(request.from) : 0n);
  const { baseFee, blobBaseFee } = fees.next();
  const gas = request.gas ?? (await caller.estimateGas(await blockAt(chain, { tag: 'pending' }), request));
  const priced: TransactionRequest =
    request.gasPrice !== undefined
      ? request
      : baseFee === undefined
        ? { ...request, gasPrice: fees.suggestedPrice() }
        : {
            ...request,
            maxPriorityFeePerGas: request.maxPriorityFeePerGas ?? lesser(SUGGESTED_TIP, request.maxFeePerGas),
            maxFeePerGas:
              request.maxFeePerGas ?? 2n * baseFee + (request.maxPriorityFeePerGas ?? SUGGESTED_TIP),
            ...(request.blobVersionedHashes && {
              maxFeePerBlobGas: request.maxFeePerBlobGas ?? 2n * (blobBaseFee ?? 0n),
            }),
          };
  return toMessage({ ...priced, gas, nonce }, { gas, nonce, chainId });
}

function lesser(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b < a ? b : a;
}
