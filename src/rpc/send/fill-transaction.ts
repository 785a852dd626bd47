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

/** Errors of a gas estimate for a transaction that could be mined, but would fail. */
const FAILURES: ReadonlySet<ErrorName> = new Set(['reverted', 'vmError', 'gasAllowance']);
/** The error of an estimate for a transaction that succeeds, while a call inside it runs out of gas with any limit. */
const INSIDE: ReadonlySet<ErrorName> = new Set(['outOfGasInside']);

/**
 * Fills in missing fields: the fees ({@link offeredFees}; before London a gas price), the next nonce, and an estimate of the gas of the
 * transaction with these fees.
 * @param options.toSend whether the transaction will be sent. In anvil's dialect a transaction whose estimate fails
 *   then gets the highest gas limit, so that it is mined and fails there; otherwise the estimate's error is thrown
 * @param options.into the block that it is for, with the transactions before it; by default the pending block, and the
 *   nonce after the sender's pool transactions
 */
export function fillTransaction(
  context: RpcContext,
  given: TransactionRequest,
  options: { toSend?: boolean; into?: BlockView | undefined } = {},
): Awaitable<Message> {
  const { chainId, shapes } = context;
  const { into, toSend = false } = options;
  // Neither `to` nor data: Hardhat refuses this, anvil creates an empty contract.
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

/** The request with all fees that the transaction's type has. */
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
    // With fees of EIP-1559 it is of a type that is refused before London.
    const hasFeeCap = request.maxFeePerGas !== undefined || request.maxPriorityFeePerGas !== undefined;
    return hasFeeCap ? request : { ...request, gasPrice: fees.suggestedPrice() };
  }
  const offered = offeredFees(baseFee, request, { tip: fees.suggestedTip, toSend, fills: shapes.fills });
  const priced = { ...request, ...offered };
  if (!request.blobVersionedHashes) return priced;
  return { ...priced, maxFeePerBlobGas: request.maxFeePerBlobGas ?? 2n * (blobBaseFee ?? 0n) };
}

/**
 * The fees of a transaction that says nothing of some, or of all. They remain sufficient if the base fee doubles; what anvil's
 * `eth_fillTransaction` fills in is the gas price of this moment.
 * @param baseFee of the block that it is for, wei per gas
 * @param options.tip the suggested one, wei per gas
 * @param options.toSend whether the transaction will be sent
 */
export function offeredFees(
  baseFee: bigint,
  { maxFeePerGas, maxPriorityFeePerGas }: Partial<FeeMarket>,
  options: { readonly tip: bigint; readonly toSend: boolean; readonly fills: Shapes['fills'] },
): FeeMarket {
  const { tip, toSend, fills } = options;
  const isPrice = fills === 'anvil' && !toSend;
  // viem multiplies anvil's by itself. It isn't below the tip, which no node would take.
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

/** What a gas limit is for: the call object as it was given, and with all fees. */
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
 * Estimates the gas of a transaction with its fees. In `eth_fillTransaction` anvil asks the sender only for the fees that were given: where
 * it can't pay those that are filled in, the estimate is made without them.
 */
function estimate(
  { caller, shapes, pauses }: RpcContext,
  { request, priced }: Unestimated,
  toSend: boolean,
  view: CallView,
): Awaitable<bigint> {
  // Such a transaction is sent even if its estimate fails.
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

/** Whether an estimate has failed since the sender can't pay for the highest gas limit, or for the value. */
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
