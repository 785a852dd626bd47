import type { Hex } from '../data/types.ts';
import { holdsAddress, numberText, type Owner, type Variable, valueText } from '../names/variable.ts';
import { Address } from '../parts/address.tsx';
import { Long } from '../parts/values.tsx';

/** A variable's value: an address is a link with its name, a number has commas, an amount of a token its unit. */
export function VariableValue({ variable, owner }: { variable: Variable; owner: Owner }) {
  const { value } = variable;
  if (value === null) return <span class="dim">not available</span>;
  if (holdsAddress(variable)) return <Address value={value as Hex} />;
  const number = numberText(variable, owner);
  return number ? <span title={value}>{number}</span> : <Long value={value} shown={66} />;
}

/** A variable as text, for places that can't have links: `to = account 2`, `value = 5 TST`. */
export function variableText(variable: Variable, owner: Owner): string {
  return `${variable.name} = ${cut(valueText(variable, owner))}`;
}

/** A text of at most 60 characters. */
export function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
