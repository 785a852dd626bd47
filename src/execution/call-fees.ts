import type { CallRequest } from './call-request.ts';

/**
 * Which node's behaviour calls and estimates follow. geth requires that the sender can pay for the message, and that a fee
 * which is offered reaches the base fee. anvil answers calls whose fee is below the base fee. Hardhat does so too, sets the
 * base fee of calls to 0, gives the sender the balance that it lacks, and has its own search for the gas estimate.
 */
export type CallStyle = 'geth' | 'anvil' | 'hardhat';

/**
 * The call object with the fees that the node of a style takes from it. geth takes those that it has, and 0 for the others; a tip without
 * a cap is then above the cap, which is refused.
 * - anvil: a tip without a cap offers nothing, as if it were absent.
 * - Hardhat: the base fee of calls is 0, so the price is the tip.
 * @param defaultTip wei per gas: Hardhat's tip where the call object names neither a tip nor a gas price
 */
export function withFeesOf(
  style: Exclude<CallStyle, 'geth'>,
  request: CallRequest,
  defaultTip: bigint,
): CallRequest {
  const isSecond = request.gasPrice !== undefined && request.maxFeePerGas !== undefined;
  const settled = isSecond ? withoutSecondPrice(style, request) : request;
  const { gasPrice, maxFeePerGas: cap, maxPriorityFeePerGas: tip } = settled;
  if (gasPrice !== undefined) return settled;
  if (style === 'anvil')
    return cap === undefined && tip !== undefined ? { ...settled, maxPriorityFeePerGas: 0n } : settled;
  const price = tip ?? (cap !== undefined && cap < defaultTip ? cap : defaultTip);
  if (price === 0n && cap === undefined && tip === undefined) return settled;
  // A tip above the cap is refused.
  if (cap !== undefined && cap < price) return settled;
  return { ...settled, maxFeePerGas: price, maxPriorityFeePerGas: price };
}

/**
 * The call object with one kind of fees. anvil takes a gas price beside a fee cap, since its `eth_fillTransaction` answers both and viem
 * passes on what it got: the gas price counts, unless the type is one with a fee cap. Other nodes refuse this.
 */
export function withoutSecondPrice<R extends CallRequest>(style: CallStyle, request: R): R {
  if (style !== 'anvil' || request.gasPrice === undefined || request.maxFeePerGas === undefined)
    return request;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...rest } = request;
  return (hasFeeCap(request) ? { ...rest, maxFeePerGas, maxPriorityFeePerGas } : { ...rest, gasPrice }) as R;
}

/** Whether the type of a call's transaction has fees of EIP-1559, whatever fees are given. */
function hasFeeCap({ type, blobVersionedHashes, authorizationList }: CallRequest): boolean {
  return type === undefined ? (blobVersionedHashes ?? authorizationList) !== undefined : type >= 2n;
}
