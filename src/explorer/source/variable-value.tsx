import type { Hex } from '../data/types.ts';
import { short, wholeText } from '../format.ts';
import { amountText } from '../names/describe.ts';
import { nameOf } from '../names/name-of.ts';
import { Address } from '../parts/address.tsx';
import { Long } from '../parts/values.tsx';
import type { Variable } from './types.ts';

/** The function that a variable belongs to, and the contract: they tell whether a number is an amount of a token. */
export interface Owner {
  readonly function: string;
  readonly contract: Hex | undefined;
}

/** A variable's value: an address is a link with its name, a number has commas, an amount of a token its unit. */
export function VariableValue({ variable, owner }: { variable: Variable; owner: Owner }) {
  const { value } = variable;
  if (value === null) return <span class="dim">not available</span>;
  if (isAddress(variable)) return <Address value={value as Hex} />;
  const number = numberText(variable, owner);
  return number ? <span title={value}>{number}</span> : <Long value={value} shown={66} />;
}

/** A variable as text, for places that can't have links: `to = account 2`, `value = 5 TST`. */
export function variableText(variable: Variable, owner: Owner): string {
  const { name, value } = variable;
  if (value === null) return `${name} = not available`;
  if (isAddress(variable)) return `${name} = ${nameOf(value as Hex)?.text ?? short(value)}`;
  return `${name} = ${numberText(variable, owner) ?? cut(value)}`;
}

/** A text of at most 60 characters. */
export function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function isAddress({ type, value }: Variable): boolean {
  return /^(?:address|contract)\b/.test(type) && /^0x[\da-f]{40}$/i.test(value ?? '');
}

/** `undefined` for a value that isn't a number. */
function numberText({ name, type, value }: Variable, owner: Owner): string | undefined {
  if (!/^u?int/.test(type) || !/^-?\d+$/.test(value ?? '')) return undefined;
  const number = BigInt(value!);
  return (
    (type === 'uint256' && amountText(number, name, owner.function, owner.contract)) || wholeText(number)
  );
}
