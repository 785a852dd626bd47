import { DevnetError } from '../../errors.ts';
import { type Codec, optional } from '../codec/codec.ts';
import { quantity } from '../codec/values.ts';
import type { RpcContext } from '../context.ts';

/** Maximum and default waiting time in milliseconds, as on Base's nodes. */
export const MAX_MS = 6_000;

/** The requested waiting time of `eth_sendRawTransactionSync` (EIP-7966), milliseconds. */
export const syncTimeout: Codec<bigint | undefined> = optional(quantity);

/**
 * Returns the waiting time in milliseconds: {@link MAX_MS} if the requested one is 0, missing or greater.
 * @throws DevnetError -32602 if it is greater and the chain has a preset of Base, whose nodes reject this
 */
export function waitOf(asked: bigint | undefined, { refusesLongWaits }: RpcContext): number {
  if (asked === undefined || asked === 0n) return MAX_MS;
  if (asked <= MAX_MS) return Number(asked);
  if (refusesLongWaits)
    throw new DevnetError('invalidParams', {
      reason: `params[1]: time out too long, timeout: ${asked} ms, max: ${MAX_MS} ms`,
    });
  return MAX_MS;
}
