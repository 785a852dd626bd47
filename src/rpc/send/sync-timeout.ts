import { type Codec, invalid } from '../codec/codec.ts';
import { quantity } from '../codec/values.ts';

/** Longest wait and default, as on Base's nodes. */
const MAX_MS = 6_000;

/** How long `eth_sendRawTransactionSync` waits (EIP-7966), milliseconds; the default when missing or 0. */
export const syncTimeout: Codec<number> = {
  decode: (value, path) => {
    if (value === undefined || value === null) return MAX_MS;
    const ms = quantity.decode(value, path);
    if (ms > MAX_MS) return invalid(path, `a time-out of ${MAX_MS} ms at most`, value);
    return Number(ms) || MAX_MS;
  },
};
