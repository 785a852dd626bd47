import type { HexCall } from '../../evm/hex-call.ts';
import { isObject } from '../codec/codec.ts';

/** Characters of an address with 0x. */
const ADDRESS = 42;
/** Characters of data, at most. */
const MOST_DATA = 8_192;

/**
 * Reads a call object that has nothing but strings as sender, target and data, as the libraries write it. Digits aren't
 * checked.
 * @returns `undefined` for any other
 */
export function hexCallOf(request: unknown): HexCall | undefined {
  if (!isObject(request)) return undefined;
  let from: string | undefined;
  let to: string | undefined;
  let data: string | undefined;
  for (const name in request) {
    const value = request[name];
    if (typeof value !== 'string') return undefined;
    if (name === 'to') to = value;
    else if (name === 'from') from = value;
    else if ((name === 'data' || name === 'input') && data === undefined) data = value;
    else return undefined;
  }
  if (to?.length !== ADDRESS || data === undefined || data.length > MOST_DATA) return undefined;
  return from === undefined || from.length === ADDRESS ? { from, to, data } : undefined;
}
