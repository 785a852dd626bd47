import { anyOf, type Codec, invalid, mapped, object, optional } from './codec.ts';
import { amount64 } from './values.ts';

/**
 * The highest number of blocks per call: while it runs, nothing else can change the chain, and a block takes at least some microseconds. A
 * year of blocks on Ethereum is about 2,630,000.
 */
const MAX_BLOCKS = 5_000_000n;

/** The number of blocks to mine. */
export const blockCount: Codec<bigint> = {
  decode: (value, path) => {
    const count = amount64.decode(value, path);
    return count <= MAX_BLOCKS ? count : invalid(path, `at most ${MAX_BLOCKS} blocks`, value);
  },
};

const fields = object('an object with timestamp and blocks', {
  timestamp: optional(amount64),
  blocks: optional(blockCount),
});

/** The optional parameter of `evm_mine`: a timestamp in seconds, or an object with `timestamp` and `blocks`. */
export const mineOptions = mapped(
  optional(anyOf('a timestamp or an object with timestamp and blocks', amount64, fields)),
  (value): { timestamp?: bigint; blocks?: bigint } =>
    typeof value === 'bigint' ? { timestamp: value } : (value ?? {}),
);
