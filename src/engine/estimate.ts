import { DevnetError } from '../errors.ts';
import type { Hardfork } from '../protocol/hardfork.ts';
import { baseGas } from '../protocol/intrinsic-gas.ts';
import type { Executed, FailedRun, Invalid, Message, Outcome } from '../protocol/types.ts';
import type { StateView } from '../state/view.ts';
import type { ExecuteOptions } from './engine.ts';

/** gas of a plain transfer, before Amsterdam of any */
export const TRANSFER_GAS = 21_000n;
/** gas that a callee gets on top when value is transferred */
export const CALL_STIPEND = 2_300n;
/** How far the estimate may be above the lowest sufficient gas limit, as a share: geth's value. */
const ERROR_RATIO = 0.015;
const OUT_OF_GAS = 'out of gas';

/** The run with the highest gas limit, which has failed. */
export interface FailedEstimate extends FailedRun {
  readonly kind: 'failed';
  readonly gasLimit: bigint;
}

/** A gas limit with which a message succeeds, or why there is none. */
export type Estimate = bigint | FailedEstimate | Invalid;

export interface EstimateOptions extends Pick<ExecuteOptions, 'precompiles' | 'console' | 'background'> {
  /** estimates 21,000 gas for a plain transfer even if the sender can't pay, as anvil does */
  readonly anyoneTransfers?: boolean;
}

/** A run with some gas limit. */
export interface Attempt {
  readonly outcome: Outcome;
  /** state gas that came back in the course of it (EIP-8037): it may have needed so much more than it has used */
  readonly stateGasReturned: bigint;
}

/**
 * Finds the lowest gas limit with which a message succeeds, to within 1.5 %, in the steps of geth's eth/gasestimator.
 * @param most highest gas limit to try
 * @param run executes the message with a gas limit, without changing state
 */
export async function searchGas(
  message: Message,
  most: bigint,
  state: StateView,
  hardfork: Hardfork,
  run: (message: Message) => Promise<Attempt>,
  anyoneTransfers: boolean,
): Promise<Estimate> {
  const attempt = (gasLimit: bigint) => run({ ...message, gasLimit });
  const transferGas = baseGas(message, hardfork);
  const isPlain =
    message.data.length === 0 && message.to !== undefined && (await state.getCode(message.to)).length === 0;
  const balance = (await state.getAccount(message.from))?.balance ?? 0n;
  const affordsTransfer = balance >= message.value + transferGas * message.maxFeePerGas;
  if (isPlain && anyoneTransfers && !message.deposit && !affordsTransfer) return transferGas;
  const affordable = affordableGas(message, most, balance);
  if (affordable === undefined) return lacksFunds(message, balance);
  if (isPlain && isSuccess((await attempt(transferGas)).outcome)) return transferGas;
  const { outcome: first, stateGasReturned } = await attempt(affordable);
  if (first.kind === 'invalid' && !lacksGas(first)) return first;
  if (!isSuccess(first)) return failedEstimate(first, affordable);
  let low = first.gasUsed - 1n;
  let high = affordable;
  const narrow = async (gasLimit: bigint) => {
    const succeeded = isSuccess((await attempt(gasLimit)).outcome);
    if (succeeded) high = gasLimit;
    else low = gasLimit;
    return succeeded;
  };
  const peak = first.maxUsedGas + stateGasReturned;
  const optimistic = ((peak + CALL_STIPEND) * 64n) / 63n;
  const isAtPeak = hardfork.has(8037) && peak < high && (await narrow(peak));
  if (!isAtPeak && optimistic < high) await narrow(optimistic);
  while (low + 1n < high && Number(high - low) / Number(high) >= ERROR_RATIO) {
    const middle = (high + low) / 2n;
    await narrow(middle > low * 2n ? low * 2n : middle);
  }
  return high;
}

function isSuccess(outcome: Outcome): outcome is Executed {
  return outcome.kind === 'executed' && outcome.success;
}

/** Whether the gas limit is below what the message costs before its first opcode. */
function lacksGas({ error }: Invalid): boolean {
  return error instanceof DevnetError && error.kind === 'intrinsicGas';
}

function failedEstimate(outcome: Outcome, gasLimit: bigint): FailedEstimate {
  if (outcome.kind === 'executed' && outcome.failure)
    return { kind: 'failed', gasLimit, failure: outcome.failure, returnData: outcome.returnData };
  return ranOutOfGas(gasLimit);
}

/** A run that had too little gas to begin. */
export function ranOutOfGas(gasLimit: bigint): FailedEstimate {
  const failure = { revert: false, reason: OUT_OF_GAS };
  return { kind: 'failed', gasLimit, failure, returnData: new Uint8Array(0) };
}

/** Whether more gas than the highest limit may have been needed. */
export function lackedGas({ failure }: FailedRun): boolean {
  return failure.reason === OUT_OF_GAS;
}

/**
 * The highest gas limit, up to `most`, that the sender can pay for; `most` when the message offers no fee.
 * @param balance the sender's, wei
 * @returns `undefined` where it doesn't even suffice for the value and for blobs
 */
export function affordableGas(message: Message, most: bigint, balance: bigint): bigint | undefined {
  if (message.maxFeePerGas === 0n) return most;
  const cost = costWithoutGas(message);
  if (balance < cost || (message.value > 0n && balance === message.value)) return undefined;
  const allowance = (balance - cost) / message.maxFeePerGas;
  return allowance < most ? allowance : most;
}

/** Value and blob fee, in wei. */
function costWithoutGas({ value, blobVersionedHashes, maxFeePerBlobGas = 0n }: Message): bigint {
  return value + BigInt(blobVersionedHashes?.length ?? 0) * (1n << 17n) * maxFeePerBlobGas;
}

/** The sender can't pay for the value and the blobs. @param balance wei */
export function lacksFunds(message: Message, balance: bigint): Invalid {
  const address = message.from.toString();
  const cost = costWithoutGas(message);
  return { kind: 'invalid', error: new DevnetError('insufficientFunds', { address, balance, cost }) };
}
