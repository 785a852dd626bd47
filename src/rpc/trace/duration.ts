import { type Codec, invalid } from '../codec/codec.ts';
import { string } from '../codec/values.ts';

/** Milliseconds of each unit. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1 },
  ...{ s: 1_000, m: 60_000, h: 3_600_000 },
};
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g;

/** A duration in Go's format, such as `1m30s` or `250ms`, decoded to milliseconds. */
export const duration: Codec<number> = {
  decode: (value, path) => {
    const text = string.decode(value, path);
    const parts = [...text.matchAll(PART)];
    if (parts.length === 0 || parts.map(([part]) => part).join('') !== text)
      return invalid(path, 'a duration such as 10s or 250ms', value);
    return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit!]!, 0);
  },
};
