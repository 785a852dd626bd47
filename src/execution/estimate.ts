import { DevnetError } from '../errors.ts';
import { CALL_STIPEND } from '../evm/intrinsic-gas.ts';
import type { Executed, Message } from '../evm/types.ts';
import type { Awaitable, StateView } from '../state/view.ts';
import { callError } from './call-error.ts';

/** gas of a plain transfer */
export const TRANSFER_GAS = 21_000n;
/** How far the estimate may be above the lowest sufficient gas limit, as a share: geth's value. */
const ERROR_RATIO = 0.015;

/** Runs the message without changing state. */
export type Run = (message: Message) => Awaitable<Executed>;

/**
 * Finds the lowest gas limit with which a message succeeds, to within 1.5 %, as geth's eth/gasestimator does.
 * @param most highest gas limit to try
 * @param options.anyoneTransfers estimates 21,000 gas for a plain transfer even if the sender can't pay, as anvil does
 * @param options.search takes the same steps at once; gives `undefined` where it can't, or where the message doesn't succeed
 * @throws DevnetError 3 or -32015 when the message fails for another reason than gas, see {@link callError}; -32000
 *   when even `most` is not enough
 */
export async function estimateGas(
  message: Message,
  most: bigint,
  state: StateView,
  run: Run,
  options: {
    readonly anyoneTransfers?: boolean;
    readonly search?: (most: bigint) => Awaitable<bigint | undefined>;
  } = {},
): Promise<bigint> {
  const attempt = async (gasLimit: bigint): Promise<Executed | undefined> => {
    try {
      return await run({ ...message, gasLimit });
    } catch (error) {
      if (error instanceof DevnetError && error.kind === 'intrinsicGas') return undefined;
      throw error;
    }
  };
  const isPlain =
    message.data.length === 0 && message.to !== undefined && (await state.getCode(message.to)).length === 0;
  const anyoneMay = isPlain && options.anyoneTransfers && !message.deposit;
  if (anyoneMay && !(await affords(message, TRANSFER_GAS, state))) return TRANSFER_GAS;
  const balance = (await state.getAccount(message.from))?.balance ?? 0n;
  let high = affordable(message, most, balance) ?? lacksFunds(message, balance);
  if (isPlain && (await attempt(TRANSFER_GAS))?.success) return TRANSFER_GAS;
  const found = await options.search?.(high);
  if (found !== undefined) return found;
  const first = await attempt(high);
  if (!first?.success) {
    if (first && first.failure?.reason !== 'out of gas') throw callError(first)!;
    throw new DevnetError('gasAllowance', { allowance: high });
  }
  // The search takes the same steps as geth's, so that it gets the same answer.
  const succeeds = async (gasLimit: bigint): Promise<boolean> => (await attempt(gasLimit))?.success === true;
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

/**
 * The highest gas limit, up to `most`, that the sender can pay for; `most` when the message offers no fee.
 * @param balance the sender's, wei
 * @returns `undefined` where it doesn't even suffice for the value and for blobs
 */
export function affordable(message: Message, most: bigint, balance: bigint): bigint | undefined {
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

function lacksFunds(message: Message, balance: bigint): never {
  const address = message.from.toString();
  throw new DevnetError('insufficientFunds', { address, balance, cost: costWithoutGas(message) });
}
