import { DevnetError } from '../errors.ts';
import { GasWatch } from '../evm/least-gas.ts';
import type { Executed, Message } from '../evm/types.ts';
import type { StateView } from '../state/view.ts';
import { callError } from './call-error.ts';

/** gas of a plain transfer */
const TRANSFER_GAS = 21_000n;
/** gas that a callee gets with a value transfer on top of what it is given */
const CALL_STIPEND = 2_300n;
/** The estimate may be this share above the least gas, as in geth: the last steps of the search cost most. */
const ERROR_RATIO = 0.015;

/** Runs the message with another gas limit, on state that it leaves as it was. */
export type Run = (message: Message, watch?: GasWatch) => Promise<Executed>;

/**
 * The least gas with which a message succeeds, to 1.5 % (geth, eth/gasestimator).
 * @param most gas to try at most
 * @param options.anyoneTransfers a plain transfer takes 21,000 gas, whether the sender has the funds or not, as in anvil
 * @param run runs the message with another gas limit, on state that it leaves as it was, watched by what it is given
 * @throws DevnetError 3 or -32015 as the call failed, -32000 when even `most` is not enough
 */
export async function estimateGas(
  message: Message,
  most: bigint,
  state: StateView,
  run: Run,
  options: { anyoneTransfers?: boolean } = {},
): Promise<bigint> {
  const attempt = async (gasLimit: bigint, watch?: GasWatch): Promise<Executed | undefined> => {
    try {
      return await run({ ...message, gasLimit }, watch);
    } catch (error) {
      if (error instanceof DevnetError && error.name === 'intrinsicGas') return undefined;
      throw error;
    }
  };
  const isPlain =
    message.data.length === 0 && message.to !== undefined && (await state.getCode(message.to)).length === 0;
  const anyoneMay = isPlain && options.anyoneTransfers && !message.deposit;
  if (anyoneMay && !(await affords(message, TRANSFER_GAS, state))) return TRANSFER_GAS;
  let high = await affordable(message, most, state);
  if (isPlain && (await attempt(TRANSFER_GAS))?.success) return TRANSFER_GAS;
  const watch = new GasWatch();
  const first = await attempt(high, watch);
  if (!first?.success) {
    if (first && first.failure?.reason !== 'out of gas') throw callError(first)!;
    throw new DevnetError('gasAllowance', { allowance: high });
  }
  // What the first run told needs no try: the search asks as geth's does, so that the answer is geth's.
  const least = watch.leastGas(first);
  const succeeds = async (gasLimit: bigint): Promise<boolean> => {
    if (least && (least.exact || gasLimit >= least.gas)) return gasLimit >= least.gas;
    return (await attempt(gasLimit))?.success === true;
  };
  let low = first.gasUsed - 1n;
  const optimistic = ((first.maxUsedGas + CALL_STIPEND) * 64n) / 63n;
  if (optimistic < high) {
    if (await succeeds(optimistic)) high = optimistic;
    else low = optimistic;
  }
  while (low + 1n < high && Number(high - low) / Number(high) >= ERROR_RATIO) {
    const middle = (high + low) / 2n;
    const next = middle > low * 2n ? low * 2n : middle;
    if (await succeeds(next)) high = next;
    else low = next;
  }
  return high;
}

async function affords(message: Message, gas: bigint, state: StateView): Promise<boolean> {
  const balance = (await state.getAccount(message.from))?.balance ?? 0n;
  return balance >= message.value + gas * message.maxFeePerGas;
}

/** The gas that the sender can pay for, when the message offers a fee. */
async function affordable(message: Message, most: bigint, state: StateView): Promise<bigint> {
  if (message.maxFeePerGas === 0n) return most;
  const balance = (await state.getAccount(message.from))?.balance ?? 0n;
  const blobFee =
    BigInt(message.blobVersionedHashes?.length ?? 0) * (1n << 17n) * (message.maxFeePerBlobGas ?? 0n);
  const cost = message.value + blobFee;
  if (balance < cost || (message.value > 0n && balance === message.value)) {
    throw new DevnetError('insufficientFunds', { address: message.from.toString(), balance, cost });
  }
  const allowance = (balance - cost) / message.maxFeePerGas;
  return allowance < most ? allowance : most;
}
