import { DevnetError } from '../errors.ts';
import type { Hardfork } from '../protocol/hardfork.ts';
import { baseGas } from '../protocol/intrinsic-gas.ts';
import type { Executed, FailedRun, Invalid, Message, Outcome } from '../protocol/types.ts';
import type { StateView } from '../state/view.ts';
import type { ExecuteOptions } from './engine.ts';

/** gas of a plain transfer; before Amsterdam every plain transfer costs this */
export const TRANSFER_GAS = 21_000n;
/** gas that the callee gets in addition when a call transfers value */
export const CALL_STIPEND = 2_300n;
/** Accepted relative error of the estimate above the lowest sufficient gas limit: geth's value. */
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
  /** state gas that was returned during the run (EIP-8037): the run may have needed that much more than it used in the end */
  readonly stateGasReturned: bigint;
}

/**
 * Finds the lowest gas limit with which a message succeeds, to within 1.5 %, by the steps of geth's eth/gasestimator.
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

/** Whether the gas limit is below the message's intrinsic gas. */
function lacksGas({ error }: Invalid): boolean {
  return error instanceof DevnetError && error.kind === 'intrinsicGas';
}

function failedEstimate(outcome: Outcome, gasLimit: bigint): FailedEstimate {
  if (outcome.kind === 'executed' && outcome.failure)
    return { kind: 'failed', gasLimit, failure: outcome.failure, returnData: outcome.returnData };
  return ranOutOfGas(gasLimit);
}

/** The estimate of a message whose gas limit was too low to begin. */
export function ranOutOfGas(gasLimit: bigint): FailedEstimate {
  const failure = { revert: false, reason: OUT_OF_GAS };
  return { kind: 'failed', gasLimit, failure, returnData: new Uint8Array(0) };
}

/** Whether the run failed for lack of gas, so that a higher limit might have helped. */
export function lackedGas({ failure }: FailedRun): boolean {
  return failure.reason === OUT_OF_GAS;
}

/**
 * The highest gas limit, up to `most`, that the sender can pay for; `most` when the message offers no fee.
 * @param balance the sender's, wei
 * @returns `undefined` if the balance doesn't even cover the value and the blobs
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

/** The rejection of a message whose sender can't pay for the value and the blobs. @param balance wei */
export function lacksFunds(message: Message, balance: bigint): Invalid {
  const address = message.from.toString();
  const cost = costWithoutGas(message);
  return { kind: 'invalid', error: new DevnetError('insufficientFunds', { address, balance, cost }) };
}
