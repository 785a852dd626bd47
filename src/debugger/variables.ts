import type { FunctionVariables } from '../sources/local-variables.ts';
import type { LocalVariable } from '../sources/source-file.ts';
import { variableText } from '../sources/variable-text.ts';
import type { Machine } from './machine.ts';

/** A variable of a function, with its value if that is known. */
export interface ShownVariable {
  readonly name: string;
  readonly kind: LocalVariable['kind'];
  /** as solc formats it */
  readonly type: string;
  /** text of the value; `undefined` = not available */
  readonly value: string | undefined;
}

/**
 * The variables of a function that are in scope at a source position.
 * @param at byte offset in the source; `undefined` = before the first mapped opcode
 * @param base height of the stack above the return address, below the first parameter
 * @param input call data of the message
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
