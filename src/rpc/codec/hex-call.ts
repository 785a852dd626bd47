import { DevnetError } from '../../errors.ts';
import type { CallAmounts, HexCall } from '../../evm/hex-call.ts';
import { type Codec, isObject } from './codec.ts';
import { quantity, uint64 } from './values.ts';

/** Characters of an address with 0x. */
const ADDRESS = 42;
/** Characters of data, at most: 64 KiB. */
const MOST_DATA = 2 ** 17 + 2;

const AMOUNTS: { readonly [K in keyof Required<CallAmounts>]: Codec<bigint> } = {
  gas: uint64,
  value: quantity,
  nonce: uint64,
  gasPrice: quantity,
  maxFeePerGas: quantity,
  maxPriorityFeePerGas: quantity,
};

/**
 * Reads a call object as the libraries write most of them, without making bytes of its text.
 * @returns `undefined` for any other, which {@link transactionRequest} decodes, or refuses
 */
export function hexCallOf(request: unknown): HexCall | undefined {
  if (!isObject(request)) return undefined;
  let from: string | undefined;
  let to: string | undefined;
  let data: string | undefined;
  let hasAmounts = false;
  for (const name in request) {
    const value = request[name];
    if (typeof value !== 'string') return undefined;
    if (name === 'to') to = value;
    else if (name === 'from') from = value;
    else if ((name === 'data' || name === 'input') && data === undefined) data = value;
    else if (Object.hasOwn(AMOUNTS, name)) hasAmounts = true;
    else return undefined;
  }
  if (!isAddress(from) || !isAddress(to) || (data !== undefined && data.length > MOST_DATA)) return undefined;
  if (!hasAmounts) return { from, to, data: data ?? '0x' };
  const amounts = amountsOf(request);
  return amounts && { from, to, data: data ?? '0x', amounts };
}

/** An absent one is fine. Digits aren't checked. */
function isAddress(text: string | undefined): boolean {
  return text === undefined || text.length === ADDRESS;
}

function amountsOf(request: Readonly<Record<string, unknown>>): CallAmounts | undefined {
  const amounts: { -readonly [K in keyof CallAmounts]: CallAmounts[K] } = {};
  try {
    for (const [name, codec] of Object.entries(AMOUNTS))
      if (Object.hasOwn(request, name))
        amounts[name as keyof CallAmounts] = codec.decode(request[name], name);
  } catch (error) {
    if (error instanceof DevnetError) return undefined;
    throw error;
  }
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = amounts;
  const contradicts = gasPrice !== undefined && (maxFeePerGas ?? maxPriorityFeePerGas) !== undefined;
  return contradicts ? undefined : amounts;
}
