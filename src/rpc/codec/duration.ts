import { type Codec, invalid, mapped } from './codec.ts';
import { quantity } from './values.ts';

/** The longest delay of a JavaScript timer, 2^31 - 1 ms. */
const MAX_MS = 0x7fff_ffffn;
const MAX_COUNT = 1_000_000n;

/** A duration in milliseconds, within a timer's limit. */
export const milliseconds: Codec<number> = mapped(quantity, (value, path) =>
  value <= MAX_MS ? Number(value) : invalid(path, `${MAX_MS} ms at most`, `${value}`),
);

/** A count from 1 to a million. */
export const count: Codec<number> = mapped(quantity, (value, path) =>
  value >= 1n && value <= MAX_COUNT ? Number(value) : invalid(path, `1 to ${MAX_COUNT}`, `${value}`),
);
