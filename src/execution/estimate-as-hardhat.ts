import type { Message } from '../evm/types.ts';
import { callError } from './call-error.ts';
import type { Run } from './estimate.ts';

const MOST_TRIES = 20;

/**
 * The gas with which a message succeeds, as Hardhat searches it: what it used with all it may have, one more than the intrinsic
 * gas at least, where that does; else the search goes on up from there.
 * @param gas.intrinsic what the message costs before its first opcode
 * @param gas.most gas to try at most
 * @throws DevnetError 3 or -32015 as the call failed
 */
export async function estimateAsHardhat(
  message: Message,
  gas: { readonly intrinsic: bigint; readonly most: bigint },
  run: Run,
): Promise<bigint> {
  const first = await run({ ...message, gasLimit: gas.most });
  const error = callError(first);
  if (error) throw error;
  const succeeds = async (gasLimit: bigint) => (await run({ ...message, gasLimit })).success;
  let low = first.gasUsed > gas.intrinsic ? first.gasUsed : gas.intrinsic + 1n;
  if (await succeeds(low)) return low;
  let high = gas.most;
  for (let tries = 0; tries < MOST_TRIES && high - low > tolerance(low); tries++) {
    const middle = low + (high - low) / 2n;
    // The answer is near the lower end most of the time.
    const next = tries === 0 && middle > 3n * low ? 3n * low : middle;
    if (await succeeds(next)) high = next;
    else low = next + 1n;
  }
  return high;
}

/** How far the answer may be above the least gas. */
function tolerance(low: bigint): bigint {
  if (low >= 4_000_000n) return 50_000n;
  if (low >= 1_000_000n) return 10_000n;
  if (low >= 100_000n) return 1_000n;
  if (low >= 50_000n) return 500n;
  return low >= 30_000n ? 300n : 200n;
}
