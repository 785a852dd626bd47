import type { Hex } from '../data/types.ts';
import { holdsAddress, numberText, type Owner, type Variable, valueText } from '../names/variable.ts';
import { Address } from '../parts/address.tsx';
import { Long } from '../parts/values.tsx';

/** A variable's value: addresses are links with a name, numbers have commas, amounts of a token have their unit. */
export function VariableValue({ variable, owner }: { variable: Variable; owner: Owner }) {
  const { value } = variable;
  if (value === null) return <span class="dim">not available</span>;
  if (holdsAddress(variable)) return <Address value={value as Hex} />;
  const number = numberText(variable, owner);
  return number ? <span title={value}>{number}</span> : <Long value={value} shown={66} />;
}

/** A variable as text without links: `to = account 2`, `value = 5 TST`. */
export function variableText(variable: Variable, owner: Owner): string {
  return `${variable.name} = ${cut(valueText(variable, owner))}`;
}

/** Shortens a text to 60 characters. */
export function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
