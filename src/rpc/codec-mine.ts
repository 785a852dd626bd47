import { anyOf, mapped, object, optional } from './codec.ts';
import { uint64 } from './codecs.ts';

const fields = object('an object with timestamp and blocks', {
  timestamp: optional(uint64),
  blocks: optional(uint64),
});

/** A timestamp in seconds, an object with one and a number of blocks, or nothing. */
export const mineOptions = mapped(
  optional(anyOf('a timestamp or an object with timestamp and blocks', uint64, fields)),
  (value): { timestamp?: bigint; blocks?: bigint } =>
    typeof value === 'bigint' ? { timestamp: value } : (value ?? {}),
);
