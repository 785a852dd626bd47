import { decoder } from '../abi/contracts.ts';
import type { Decoded } from '../abi/decoder.ts';
import type { Hex } from '../data/types.ts';
import { etherText, plural, short, unlimited } from '../format.ts';
import { sourceOf } from './source-of.ts';
import { type Token, tokenAmount, tokenOf } from './tokens.ts';

/** A transaction's action, for one line: "send 25 TST to account 3". */
export interface Description {
  readonly kind: 'send' | 'create' | 'approve' | 'call';
  /** in the present tense: `send`, `create`, or the name of a function */
  readonly verb: string;
  /** what is sent, approved or created */
  readonly object: string;
  /** the recipient; `undefined` for a contract that doesn't exist yet */
  readonly target: Hex | undefined;
  /** the token contract that is called */
  readonly through?: Hex;
  /** the owner of the tokens, if that isn't the sender */
  readonly owner?: Hex;
  readonly decoded?: Decoded | undefined;
}

interface TransactionFields {
  readonly to: Hex | null;
  readonly value: Hex;
  readonly input: Hex;
}

/** @param created the address of the created contract, if it is known */
export function describe({ to, value, input }: TransactionFields, created?: Hex | null): Description {
  const wei = BigInt(value);
  if (!to)
    return {
      kind: 'create',
      verb: 'create',
      object: created ? '' : `a contract (${plural((input.length - 2) / 2, 'byte')})`,
      target: created ?? undefined,
    };
  if (input === '0x') return { kind: 'send', verb: 'send', object: etherText(wei), target: to };
  const decoded = decoder.value?.call(input, sourceOf(to));
  const token = decoded && !decoded.broken && TOKEN_CALLS.has(decoded.name) ? tokenOf(to) : undefined;
  return (
    (token && decoded && describeTokenCall(decoded, token)) ?? {
      kind: 'call',
      verb: decoded ? `${decoded.name}${decoded.broken ? '?' : ''}` : `call ${input.slice(0, 10)}`,
      object: wei > 0n ? `with ${etherText(wei)}` : '',
      target: to,
      decoded,
    }
  );
}

const TOKEN_CALLS: ReadonlySet<string> = new Set(['transfer', 'transferFrom', 'safeTransferFrom', 'approve']);

/** Describes calls of the token standards; `undefined` for other overloads of the same names. */
function describeTokenCall(decoded: Decoded, token: Token): Description | undefined {
  const { name, args } = decoded;
  const types = args.map(({ type }) => type).join();
  const values = args.map(({ value }) => value);
  const base = { through: token.address, decoded };
  if (types === 'address,uint256') {
    const object = tokenAmount(values[1] as bigint, token);
    const target = values[0] as Hex;
    if (name === 'transfer') return { kind: 'send', verb: 'send', object, target, ...base };
    if (name === 'approve') return { kind: 'approve', verb: 'approve', object, target, ...base };
  }
  if (types.startsWith('address,address,uint256')) {
    const [owner, target, amount, quantity] = values as [Hex, Hex, bigint, bigint | undefined];
    const object =
      token.standard === 'ERC-1155'
        ? `${quantity ?? 1n} × ${token.symbol || 'token'} #${amount}`
        : tokenAmount(amount, token);
    return { kind: 'send', verb: 'send', object, target, owner, ...base };
  }
  return undefined;
}

/** A number in a call, log or error of a token contract as an amount with its unit, if its name says that it is an amount. */
export function amountText(
  value: bigint,
  name: string,
  of: string,
  contract: Hex | null | undefined,
): string | undefined {
  if (!AMOUNTS.test(name) && !(name === '' && AMOUNT_RESULTS.has(of))) return undefined;
  const token = tokenOf(contract);
  if (token?.standard !== 'ERC-20') return undefined;
  return unlimited(value) ? `unlimited ${token.symbol}` : tokenAmount(value, token);
}

const AMOUNTS =
  /^_?(?:amount|value|wad|balance|needed|required|available|allowance|(?:initial|total)?supply|tokens|cap)s?_?$/i;
const AMOUNT_RESULTS: ReadonlySet<string> = new Set(['balanceOf', 'totalSupply', 'allowance', 'balances']);

/** The beginning and end of data without a known ABI. */
export function rawText(input: Hex): string {
  return short(input, 8);
}
