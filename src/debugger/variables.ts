import type { FunctionVariables } from '../sources/local-variables.ts';
import type { LocalVariable } from '../sources/source-file.ts';
import { variableText } from '../sources/variable-text.ts';
import type { Machine } from './machine.ts';

/** A variable of a function, as far as its value is known. */
export interface ShownVariable {
  readonly name: string;
  readonly kind: LocalVariable['kind'];
  /** as solc writes it */
  readonly type: string;
  /** text of the value; `undefined` = not available */
  readonly value: string | undefined;
}

/**
 * The variables of a function that have a value at a place.
 * @param at byte of the source; `undefined` = before anything of the source ran
 * @param base height of the stack above the return address, below the first parameter
 * @param input data of the message
 */
export function variablesAt(
  { variables }: FunctionVariables,
  at: number | undefined,
  base: number,
  { stack, memory }: Machine,
  input: Uint8Array,
): readonly ShownVariable[] {
  const values = {
    word: (place: number) => stack[base + place],
    memoryFrom: (offset: number) => (offset > memory.length ? undefined : memory.subarray(offset)),
    input,
  };
  return variables
    .filter(({ from, to }) => from === 0 || (at !== undefined && from <= at && at < to))
    .map(({ name, kind, type, slot }) => {
      const value = slot === undefined ? undefined : variableText(type, slot, values);
      return { name, kind, type, value };
    });
}
