import { DevnetError } from '../errors.ts';
import type { Executed, Message } from '../protocol/types.ts';
import type { Awaitable } from '../state/view.ts';
import { callError } from './call-error.ts';

const MAX_TRIES = 20;

/** Result of a run, and whether a call inside it ran out of gas, if that counts as a failure. */
export type Attempt = Executed & { readonly ranOutInside?: boolean };

/** Runs the message without changing state. */
type Run = (message: Message) => Awaitable<Attempt>;

/**
 * Estimates gas with Hardhat's algorithm. Runs the message with the highest gas limit. If the message also succeeds with the gas
 * used in that run (at least the intrinsic gas plus one), that is the estimate; otherwise searches upwards from there.
 * @param gas.intrinsic gas that is charged before the first opcode
 * @param gas.most highest gas limit to try
 * @throws DevnetError 3 or -32015 if the message fails with `gas.most`, see {@link callError}; -32000 if a call inside it runs out of gas
 */
export async function estimateAsHardhat(
  message: Message,
  gas: { readonly intrinsic: bigint; readonly most: bigint },
  run: Run,
): Promise<bigint> {
  const first = await run({ ...message, gasLimit: gas.most });
  const error = callError(first);
  if (error) throw error;
  if (first.ranOutInside) throw outOfGasInside();
  const succeeds = async (gasLimit: bigint) => {
    const { success, ranOutInside } = await run({ ...message, gasLimit });
    return success && !ranOutInside;
  };
  let low = first.gasUsed > gas.intrinsic ? first.gasUsed : gas.intrinsic + 1n;
  if (await succeeds(low)) return low;
  let high = gas.most;
  for (let tries = 0; tries < MAX_TRIES && high - low > tolerance(low); tries++) {
    const middle = low + (high - low) / 2n;
    // The estimate is mostly near the lower end.
    const next = tries === 0 && middle > 3n * low ? 3n * low : middle;
    if (await succeeds(next)) high = next;
    else low = next + 1n;
  }
  return high;
}

/** Hardhat checks `reason` when it fills in the gas of a transaction. */
function outOfGasInside(): DevnetError {
  const error = new DevnetError('outOfGasInside');
  const { message } = error;
  return error.withData({ message, data: '0x', reason: 'InternalCallOutOfGas' });
}

/** How far the estimate may be above the lowest sufficient gas limit. */
function tolerance(low: bigint): bigint {
  if (low >= 4_000_000n) return 50_000n;
  if (low >= 1_000_000n) return 10_000n;
  if (low >= 100_000n) return 1_000n;
  if (low >= 50_000n) return 500n;
  return low >= 30_000n ? 300n : 200n;
}
