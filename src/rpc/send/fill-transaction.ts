import type { Address } from '@ethereumjs/util';
import type { BlockView, CallView } from '../../chain/block.ts';
import { DevnetError, type ErrorName } from '../../errors.ts';
import { withoutSecondPrice } from '../../execution/call-fees.ts';
import { toMessage } from '../../execution/call-request.ts';
import type { FeeMarket } from '../../protocol/signed-transaction.ts';
import type { Message } from '../../protocol/types.ts';
import { type Awaitable, andThen, orElse } from '../../state/view.ts';
import type { TransactionRequest } from '../codec/transaction.ts';
import type { Shapes } from '../compat/shapes.ts';
import type { RpcContext } from '../context.ts';
import { callViewAt } from '../read/block-at.ts';

/** Errors of a gas estimate for a transaction that can be mined, but fails. */
const FAILURES: ReadonlySet<ErrorName> = new Set(['reverted', 'vmError', 'gasAllowance']);
/** The error of a gas estimate for a transaction that succeeds, although a call inside it runs out of gas with any limit. */
const INSIDE: ReadonlySet<ErrorName> = new Set(['outOfGasInside']);

/**
 * Fills in missing fields: the fees ({@link offeredFees}; before London a gas price), the next nonce, and an estimate of the gas of the
 * transaction with these fees.
 * @param options.toSend whether the transaction will be sent. In anvil's dialect, if the estimate fails, the transaction then gets the
 * highest gas limit, so that it is mined and fails there; otherwise the estimate's error is thrown
 * @param options.into the block that it is for, with the transactions before it; by default the pending block, and the nonce after the
 * sender's pool transactions
 */
export function fillTransaction(
  context: RpcContext,
  given: TransactionRequest,
  options: { toSend?: boolean; into?: BlockView | undefined } = {},
): Awaitable<Message> {
  const { chainId, shapes } = context;
  const { into, toSend = false } = options;
  // Hardhat rejects a transaction with neither `to` nor data; anvil creates an empty contract.
  if (toSend && shapes.sendsThrow && !given.to && !given.data?.length)
    throw new DevnetError('server', { reason: 'Contract creation without any data provided' });
  const request = withoutSecondPrice(shapes.calls, given);
  const priced = withFees(context, request, { toSend, into });
  return andThen(request.nonce ?? nonceOf(context, request.from, into), (nonce) =>
    andThen(request.gas ?? gasFor(context, { request, priced }, { toSend, into }), (gas) =>
      toMessage(priced, { gas, nonce, chainId }),
    ),
  );
}

/** Returns the request with all fees that the transaction's type has. */
function withFees(
  { fees, shapes }: RpcContext,
  request: TransactionRequest,
  { toSend, into }: { toSend: boolean; into: BlockView | undefined },
): TransactionRequest {
  if (request.gasPrice !== undefined) return request;
  const { baseFee, blobBaseFee } = into
    ? { baseFee: into.header.baseFeePerGas, blobBaseFee: fees.blobBaseFee(into.header) }
    : fees.next();
  if (baseFee === undefined) {
    // With EIP-1559 fees, the transaction has a type that is rejected before London.
    const hasFeeCap = request.maxFeePerGas !== undefined || request.maxPriorityFeePerGas !== undefined;
    return hasFeeCap ? request : { ...request, gasPrice: fees.suggestedPrice() };
  }
  const offered = offeredFees(baseFee, request, { tip: fees.suggestedTip, toSend, fills: shapes.fills });
  const priced = { ...request, ...offered };
  if (!request.blobVersionedHashes) return priced;
  return { ...priced, maxFeePerBlobGas: request.maxFeePerBlobGas ?? 2n * (blobBaseFee ?? 0n) };
}

/**
 * Returns the fees of a transaction that lacks some or all of them. They remain sufficient if the base fee doubles. The exception is
 * anvil's `eth_fillTransaction`, which fills in the present gas price.
 * @param baseFee base fee of the block that it is for, wei per gas
 * @param options.tip the suggested tip, wei per gas
 * @param options.toSend whether the transaction will be sent
 */
export function offeredFees(
  baseFee: bigint,
  { maxFeePerGas, maxPriorityFeePerGas }: Partial<FeeMarket>,
  options: { readonly tip: bigint; readonly toSend: boolean; readonly fills: Shapes['fills'] },
): FeeMarket {
  const { tip, toSend, fills } = options;
  const isPrice = fills === 'anvil' && !toSend;
  // viem multiplies anvil's value itself. The fee cap must not be below the tip, or the transaction would be rejected.
  const most = isPrice
    ? baseFee + greater(tip, maxPriorityFeePerGas)
    : 2n * baseFee + (maxPriorityFeePerGas ?? tip);
  return {
    maxPriorityFeePerGas: maxPriorityFeePerGas ?? lesser(tip, maxFeePerGas),
    maxFeePerGas: maxFeePerGas ?? most,
  };
}

function nonceOf(
  { pool }: RpcContext,
  from: Address | undefined,
  into: BlockView | undefined,
): Awaitable<bigint> {
  if (!from) return 0n;
  if (!into) return pool.nextNonce(from);
  return andThen(into.state.getAccount(from), (account) => account?.nonce ?? 0n);
}

/** The input of a gas estimate: the request as given, and with all fees. */
interface Unestimated {
  readonly request: TransactionRequest;
  readonly priced: TransactionRequest;
}

function gasFor(
  context: RpcContext,
  unestimated: Unestimated,
  { toSend, into }: { toSend: boolean; into: BlockView | undefined },
): Awaitable<bigint> {
  const { chain, caller, shapes } = context;
  const sendGas = toSend ? shapes.sendGas : 'estimate';
  return andThen(into ?? callViewAt(chain, { tag: 'pending' }), (view) => {
    if (sendGas === 'most') return caller.mostGas(view);
    const tolerated = sendGas === 'estimate or most' ? FAILURES : INSIDE;
    return orElse(
      () => estimate(context, unestimated, toSend, view),
      (error) => {
        if (!(error instanceof DevnetError && tolerated.has(error.kind))) throw error;
        return caller.mostGas(view);
      },
    );
  });
}

/**
 * Estimates the gas of a transaction with its fees. In anvil's `eth_fillTransaction` the sender must be able to pay only fees that were
 * given: if it can't pay those that were filled in, the estimate is made without them.
 */
function estimate(
  { caller, shapes, pauses }: RpcContext,
  { request, priced }: Unestimated,
  toSend: boolean,
  view: CallView,
): Awaitable<bigint> {
  // Such a transaction is sent even if the estimate fails.
  const isSent = toSend && shapes.sendGas === 'estimate or most';
  const run = (asked: TransactionRequest) => caller.estimateGas(view, asked, {}, { isSent, pauses });
  const isAsGiven = request.gasPrice !== undefined || request.maxFeePerGas !== undefined;
  if (toSend || shapes.fills === 'geth' || isAsGiven) return run(priced);
  return orElse(
    () => run(priced),
    (error) => {
      if (!lacksFunds(error)) throw error;
      return run(request);
    },
  );
}

/** Whether an estimate failed because the sender can't pay for the highest gas limit, or for the value. */
function lacksFunds(error: unknown): boolean {
  if (!(error instanceof DevnetError)) return false;
  const { cause = error } = error;
  return (
    cause instanceof DevnetError && (cause.kind === 'insufficientFunds' || cause.kind === 'gasAllowance')
  );
}

function lesser(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b < a ? b : a;
}

function greater(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b > a ? b : a;
}
