import { DevnetError } from '../../errors.ts';
import { type Codec, optional } from '../codec/codec.ts';
import { quantity } from '../codec/values.ts';
import type { RpcContext } from '../context.ts';

/** Longest wait and default, milliseconds, as on Base's nodes. */
export const MAX_MS = 6_000;

/** How long `eth_sendRawTransactionSync` is asked to wait (EIP-7966), milliseconds. */
export const syncTimeout: Codec<bigint | undefined> = optional(quantity);

/**
 * How long it waits, milliseconds: {@link MAX_MS} where 0 or nothing is asked for, and where it is more.
 * @throws DevnetError -32602 where it is more, with a preset of Base, whose nodes refuse this
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
