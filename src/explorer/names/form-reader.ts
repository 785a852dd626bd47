import type { Reader } from '../abi/decoder.ts';
import { addressIn } from './address-in.ts';
import { knownTokens } from './tokens.ts';

/** Gives forms the addresses by name, and the decimals of tokens by symbol. */
export function formReader(): Reader {
  const symbols = knownTokens().map(({ symbol, decimals }) => [symbol.toLowerCase(), decimals] as const);
  return { addressIn, symbols: Object.fromEntries(symbols) };
}
