import { type Codec, invalid } from '../codec/codec.ts';
import { quantity } from '../codec/values.ts';

/** As on Base's nodes, the default too. */
const MAX_MS = 6_000;

/** Milliseconds that a sync send waits (EIP-7966). Left out or 0, the default. */
export const syncTimeout: Codec<number> = {
  decode: (value, path) => {
    if (value === undefined || value === null) return MAX_MS;
    const ms = quantity.decode(value, path);
    if (ms > MAX_MS) return invalid(path, `a time-out of ${MAX_MS} ms at most`, value);
    return Number(ms) || MAX_MS;
  },
};
