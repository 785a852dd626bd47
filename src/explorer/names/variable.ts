import type { Hex } from '../data/types.ts';
import { short, wholeText } from '../format.ts';
import { amountText } from './describe.ts';
import { nameOf } from './name-of.ts';

/** A variable of a contract or function with its value as text; `null` where that isn't known. */
export interface Variable {
  readonly name: string;
  readonly type: string;
  readonly value: string | null;
}

/** The function that a variable belongs to, and the contract: they tell whether a number is an amount of a token. */
export interface Owner {
  readonly function: string;
  readonly contract: Hex | undefined;
}

/** A variable's value as text, for places that can't have links: addresses have names, amounts of a token their unit. */
export function valueText(variable: Variable, owner: Owner): string {
  const { value } = variable;
  if (value === null) return 'not available';
  if (holdsAddress(variable)) return nameOf(value as Hex)?.text ?? short(value);
  return numberText(variable, owner) ?? value;
}

/** The name of a variable. Keys of mappings that are addresses have their names, longer ones are shortened: `balances[account 1]`. */
export function variableName(name: string): string {
  return name.replace(
    /\[(0x[\da-f]{40,})\]/gi,
    (_, key: Hex) => `[${(key.length === 42 && nameOf(key)?.text) || short(key)}]`,
  );
}

export function holdsAddress({ type, value }: Variable): boolean {
  return /^(?:address|contract)\b/.test(type) && /^0x[\da-f]{40}$/i.test(value ?? '');
}

/** `undefined` for a value that isn't a number. */
export function numberText({ name, type, value }: Variable, owner: Owner): string | undefined {
  if (!/^u?int/.test(type) || !/^-?\d+$/.test(value ?? '')) return undefined;
  const number = BigInt(value!);
  const ownName = name.replace(/\[.*$/, '');
  return (
    (type === 'uint256' && amountText(number, ownName, owner.function, owner.contract)) || wholeText(number)
  );
}
