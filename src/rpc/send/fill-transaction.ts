import type { Address } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import { DevnetError, type ErrorName } from '../../errors.ts';
import type { FeeMarket } from '../../evm/signed-transaction.ts';
import type { Message } from '../../evm/types.ts';
import { toMessage } from '../../execution/call-request.ts';
import type { TransactionRequest } from '../codec/transaction.ts';
import type { Shapes } from '../compat/shapes.ts';
import type { RpcContext } from '../context.ts';
import { callViewAt } from '../read/block-at.ts';

/** Errors of a gas estimate for a transaction that could be mined, but would fail. */
const FAILURES: ReadonlySet<ErrorName> = new Set(['reverted', 'vmError', 'gasAllowance']);

/**
 * Fills in missing fields: the next nonce, a gas estimate, and fees that remain sufficient if the base fee doubles
 * (before London a gas price).
 * @param options.toSend whether the transaction will be sent. In anvil's dialect a transaction whose estimate fails
 *   then gets the highest gas limit, so that it is mined and fails there; otherwise the estimate's error is thrown
 * @param options.into the block that it is for, with the transactions before it; by default the pending block, and the
 *   nonce after the sender's pool transactions
 */
export async function fillTransaction(
  context: RpcContext,
  request: TransactionRequest,
  options: { toSend?: boolean; into?: BlockView | undefined } = {},
): Promise<Message> {
  const { chainId, fees, shapes } = context;
  const { into } = options;
  // Neither `to` nor data: Hardhat refuses this, anvil creates an empty contract.
  if (options.toSend && shapes.sendsThrow && !request.to && !request.data?.length)
    throw new DevnetError('server', { reason: 'Contract creation without any data provided' });
  const nonce = request.nonce ?? (request.from ? await nonceOf(context, request.from, into) : 0n);
  const { baseFee, blobBaseFee } = into
    ? { baseFee: into.header.baseFeePerGas, blobBaseFee: fees.blobBaseFee(into.header) }
    : fees.next();
  const gas =
    request.gas ?? (await gasFor(context, request, options.toSend ? shapes.sendGas : 'estimate', into));
  const priced: TransactionRequest =
    request.gasPrice !== undefined
      ? request
      : baseFee === undefined
        ? { ...request, gasPrice: fees.suggestedPrice() }
        : {
            ...request,
            ...offeredFees(baseFee, fees.suggestedTip, request),
            ...(request.blobVersionedHashes && {
              maxFeePerBlobGas: request.maxFeePerBlobGas ?? 2n * (blobBaseFee ?? 0n),
            }),
          };
  return toMessage({ ...priced, nonce }, { gas, nonce, chainId });
}

/**
 * The fees of a transaction that says nothing of some, or of all. They remain sufficient if the base fee doubles.
 * @param baseFee of the block that it is for, wei per gas
 */
export function offeredFees(
  baseFee: bigint,
  suggestedTip: bigint,
  { maxFeePerGas, maxPriorityFeePerGas }: Partial<FeeMarket>,
): FeeMarket {
  return {
    maxPriorityFeePerGas: maxPriorityFeePerGas ?? lesser(suggestedTip, maxFeePerGas),
    maxFeePerGas: maxFeePerGas ?? 2n * baseFee + (maxPriorityFeePerGas ?? suggestedTip),
  };
}

async function nonceOf({ pool }: RpcContext, from: Address, into: BlockView | undefined): Promise<bigint> {
  if (!into) return pool.nextNonce(from);
  return (await into.state.getAccount(from))?.nonce ?? 0n;
}

async function gasFor(
  { chain, caller }: RpcContext,
  request: TransactionRequest,
  gas: Shapes['sendGas'],
  into: BlockView | undefined,
): Promise<bigint> {
  const view = () => into ?? callViewAt(chain, { tag: 'pending' });
  if (gas === 'most') return caller.mostGas(await view());
  try {
    const opening = into ? undefined : chain.opening;
    const least = opening && (await caller.leastGas(opening, request));
    return least ?? (await caller.estimateGas(await view(), request));
  } catch (error) {
    const failed = error instanceof DevnetError && FAILURES.has(error.name);
    if (gas === 'estimate' || !failed) throw error;
    return caller.mostGas(await view());
  }
}

function lesser(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b < a ? b : a;
}
