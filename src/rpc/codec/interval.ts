import { array, type Codec, invalid, mapped } from './codec.ts';
import { uint64 } from './values.ts';

/** The longest delay of a JavaScript timer, 2^31 - 1 ms (24 days). */
const MAX_TIMER_MS = 0x7fff_ffff;

const time: Codec<number> = {
  decode: (value, path) => {
    const isFraction = typeof value === 'number' && !Number.isInteger(value);
    return isFraction
      ? invalid(path, 'a whole number of 0 or more', value)
      : Number(uint64.decode(value, path));
  },
};

const range = mapped(array(time), (times, path): readonly [number, number] => {
  const [shortest = 0, longest = 0] = times;
  return times.length === 2 && shortest > 0 && shortest <= longest
    ? [shortest, longest]
    : invalid(path, 'a range [shortest, longest] of times above 0', times);
});

/**
 * A whole number of 0 or more, or a range from which each block's time is drawn. The unit, seconds or milliseconds, depends on `--compat`.
 */
export const intervalTime: Codec<number | readonly [number, number]> = {
  decode: (value, path) => (Array.isArray(value) ? range : time).decode(value, path),
};

/** @returns whole milliseconds, at least 1 unless the time is 0. @throws DevnetError -32602 above a timer's limit */
export function millisecondsOf(time: number, unit: 's' | 'ms'): number {
  const scale = unit === 's' ? 1000 : 1;
  if (time * scale > MAX_TIMER_MS)
    invalid('params[0]', `${Math.floor(MAX_TIMER_MS / scale)} ${unit} at most`, time);
  return time > 0 ? Math.max(1, Math.round(time * scale)) : 0;
}
