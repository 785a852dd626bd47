import type { CallRequest } from './call-request.ts';

/**
 * The node whose behaviour calls and estimates follow. geth requires that the sender can pay for the message, and that a given
 * fee reaches the base fee. anvil also accepts fees below the base fee. Hardhat does so too; it also sets the base fee of calls
 * to 0, raises the sender's balance as needed, and has its own search for the gas estimate.
 */
export type CallStyle = 'geth' | 'anvil' | 'hardhat';

/**
 * Returns the call object with its fees changed to those that anvil or Hardhat would use. (geth uses the given fees, and 0 for absent
 * ones. A tip without a fee cap is then above the cap and therefore rejected.)
 * - anvil: ignores a tip without a fee cap.
 * - Hardhat: the base fee of calls is 0, so the gas price is the tip.
 * @param defaultTip wei per gas: Hardhat's tip if the call object has neither a tip nor a gas price
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
  // The engine rejects a tip above the fee cap.
  if (cap !== undefined && cap < price) return settled;
  return { ...settled, maxFeePerGas: price, maxPriorityFeePerGas: price };
}

/**
 * Returns the call object with either a gas price or a fee cap. anvil accepts both together, because its `eth_fillTransaction` returns
 * both and viem passes them on: it uses the gas price, unless the type has a fee cap. Other nodes reject such a call object.
 */
export function withoutSecondPrice<R extends CallRequest>(style: CallStyle, request: R): R {
  if (style !== 'anvil' || request.gasPrice === undefined || request.maxFeePerGas === undefined)
    return request;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...rest } = request;
  return (hasFeeCap(request) ? { ...rest, maxFeePerGas, maxPriorityFeePerGas } : { ...rest, gasPrice }) as R;
}

/** Whether the type of the call's transaction has EIP-1559 fees, regardless of the given fees. */
function hasFeeCap({ type, blobVersionedHashes, authorizationList }: CallRequest): boolean {
  return type === undefined ? (blobVersionedHashes ?? authorizationList) !== undefined : type >= 2n;
}
