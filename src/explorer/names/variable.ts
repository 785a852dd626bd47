import type { Hex } from '../data/types.ts';
import { short, wholeText } from '../format.ts';
import { amountText } from './describe.ts';
import { nameOf } from './name-of.ts';

/** A variable of a contract or function with its value as text; `null` if the value isn't available. */
export interface Variable {
  readonly name: string;
  readonly type: string;
  readonly value: string | null;
}

/** The function and the contract that a variable belongs to: they decide whether a number is an amount of a token. */
export interface Owner {
  readonly function: string;
  readonly contract: Hex | undefined;
}

/** A variable's value as text without links: addresses as names, amounts of a token with their unit. */
export function valueText(variable: Variable, owner: Owner): string {
  const { value } = variable;
  if (value === null) return 'not available';
  if (holdsAddress(variable)) return nameOf(value as Hex)?.text ?? short(value);
  return numberText(variable, owner) ?? value;
}

/** A variable's name. Mapping keys that are addresses are replaced by their names, longer keys are shortened: `balances[account 1]`. */
export function variableName(name: string): string {
  return name.replace(
    /\[(0x[\da-f]{40,})\]/gi,
    (_, key: Hex) => `[${(key.length === 42 && nameOf(key)?.text) || short(key)}]`,
  );
}

export function holdsAddress({ type, value }: Variable): boolean {
  return /^(?:address|contract)\b/.test(type) && /^0x[\da-f]{40}$/i.test(value ?? '');
}

/** A number with its unit or with commas. `undefined` for a value that isn't a number. */
export function numberText({ name, type, value }: Variable, owner: Owner): string | undefined {
  if (!/^u?int/.test(type) || !/^-?\d+$/.test(value ?? '')) return undefined;
  const number = BigInt(value!);
  const ownName = name.replace(/\[.*$/, '');
  return (
    (type === 'uint256' && amountText(number, ownName, owner.function, owner.contract)) || wholeText(number)
  );
}
