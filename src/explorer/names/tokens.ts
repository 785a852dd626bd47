import { signal } from '@preact/signals';
import { codeOf, decoder, implementationOf } from '../abi/contracts.ts';
import { rpc, store } from '../app.ts';
import type { Standard } from '../data/tokens.ts';
import type { Hex } from '../data/types.ts';
import { decimals, unlimited } from '../format.ts';
import { FIXED } from './fixed.ts';

/** A token's description of itself. */
export interface Token {
  readonly address: Hex;
  readonly standard: Standard;
  /** empty if the token has no symbol */
  readonly symbol: string;
  readonly decimals: number;
}

const WETH = '0x4200000000000000000000000000000000000006';
/** System contracts, which aren't asked whether they are tokens. */
const NO_TOKENS: ReadonlyMap<string, null> = new Map(
  Object.keys(FIXED).flatMap((address) => (address === WETH ? [] : [[address, null]])),
);
/** Tokens by address in lower case; `null` for contracts that aren't tokens. */
const tokens = signal<ReadonlyMap<string, Token | null>>(NO_TOKENS);
const asked = new Set<string>();

/** The tokens that were found so far. */
export function knownTokens(): Token[] {
  return [...tokens.value.values()].filter((it) => it !== null);
}

/** A token that was found before. Sends no request. */
export function knownToken(address: Hex): Token | undefined {
  return tokens.value.get(address.toLowerCase()) ?? undefined;
}

/** Whether it isn't known yet if an address is a token, and how many decimals it has. */
export function isAwaited(address: Hex): boolean {
  return tokens.value.get(address.toLowerCase()) === undefined && codeOf(address) !== '0x';
}

/** A contract as a token. Returns `undefined` if it isn't a token, and while that isn't known; then it is requested. */
export function tokenOf(address: Hex | null | undefined): Token | undefined {
  if (!address) return undefined;
  const key = address.toLowerCase();
  const found = tokens.value.get(key);
  if (found !== undefined) return found ?? undefined;
  const code = codeOf(address);
  if (!code || code === '0x' || asked.has(key) || !decoder.value || rpc.state.value !== 'open')
    return undefined;
  asked.add(key);
  void ask(key as Hex).then(
    (token) => {
      tokens.value = new Map(tokens.peek()).set(key, token);
    },
    () => asked.delete(key),
  );
  return undefined;
}

async function ask(address: Hex): Promise<Token | null> {
  const call = (data: string) =>
    rpc.call<Hex>('eth_call', { to: address, data }, 'pending').catch((error: Error) => {
      // An error response means that the contract lacks the function; without a connection the answer is unknown.
      if (rpc.state.peek() !== 'open') throw error;
      return '0x' as Hex;
    });
  const supports = (id: string) => call(`0x01ffc9a7${id.padEnd(64, '0')}`);
  const [symbol, unit, is721, is1155] = await Promise.all([
    call('0x95d89b41'),
    call('0x313ce567'),
    supports('80ac58cd'),
    supports('d9b67a26'),
  ]);
  const text = decoder.peek()?.result('0x95d89b41', symbol, 'ERC-20')?.[0]?.value;
  const isTrue = (word: Hex) => word.length === 66 && BigInt(word) === 1n;
  const places = unit.length === 66 && BigInt(unit) < 78n ? Number(BigInt(unit)) : undefined;
  const standard = isTrue(is721)
    ? 'ERC-721'
    : isTrue(is1155)
      ? 'ERC-1155'
      : places !== undefined
        ? 'ERC-20'
        : standardIn(codeOf(implementationOf(address)));
  if (!standard) return null;
  return {
    address,
    standard,
    symbol: typeof text === 'string' ? text.slice(0, 24) : '',
    decimals: standard === 'ERC-20' ? places! : 0,
  };
}

/** The standard of old and simple tokens without ERC-165, recognised by a selector in the code that only this standard has. */
function standardIn(code: Hex | undefined): Standard | undefined {
  // ownerOf(uint256), and balanceOf(address,uint256)
  if (code?.includes('636352211e')) return 'ERC-721';
  return code?.includes('62fdd58e') || code?.includes('6300fdd58e') ? 'ERC-1155' : undefined;
}

/** An amount of a token with its symbol; for an ERC-721 the token id. */
export function tokenAmount(value: bigint, token: Token): string {
  const { symbol, standard } = token;
  if (standard === 'ERC-721') return `${symbol || 'token'} #${value}`;
  if (unlimited(value)) return `unlimited ${symbol}`.trim();
  return `${decimals(value, token.decimals, 6)} ${symbol}`.trim();
}

// A different instance id means another chain, with other contracts.
let instance: string | undefined;
store.status.subscribe((status) => {
  if (status && instance !== undefined && status.instanceId !== instance) {
    asked.clear();
    tokens.value = NO_TOKENS;
  }
  instance = status?.instanceId ?? instance;
});
