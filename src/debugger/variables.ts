import type { FunctionVariables } from '../sources/local-variables.ts';
import type { LocalVariable } from '../sources/source-file.ts';
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

/** Bytes, and items of lists, of which the text tells. */
const MOST_BYTES = 1_024;
const MOST_ITEMS = 32;
const WORD = 32;

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
  machine: Machine,
  input: Uint8Array,
): readonly ShownVariable[] {
  return variables
    .filter(({ from, to }) => from === 0 || (at !== undefined && from <= at && at < to))
    .map(({ name, kind, type, slot }) => {
      const value = slot === undefined ? undefined : valueText(type, base + slot, machine, input);
      return { name, kind, type, value };
    });
}

/** @param place of its first word on the stack, from the bottom */
function valueText(
  type: string,
  place: number,
  { stack, memory }: Machine,
  input: Uint8Array,
): string | undefined {
  const word = stack[place];
  if (word === undefined) return undefined;
  const [, base = '', location] =
    /^(.*?) (memory|calldata|storage ref|storage pointer)(?: slice)?$/s.exec(type) ?? [];
  if (location === undefined) return wordText(type, word);
  if (location.startsWith('storage')) return `storage slot 0x${word.toString(16)}`;
  if (location === 'memory') return referenceText(base, memory, word, undefined);
  return referenceText(base, input, word, stack[place + 1]);
}

/** A value that is one word. */
function wordText(type: string, word: bigint): string | undefined {
  const [, kind = '', size = '256'] = /^(u?int|bytes)(\d+)?$/.exec(type) ?? [];
  if (kind === 'uint') return BigInt.asUintN(Number(size), word).toString();
  if (kind === 'int') return BigInt.asIntN(Number(size), word).toString();
  if (kind === 'bytes') return `0x${hexWord(word).slice(0, 2 * Number(size))}`;
  if (type === 'bool') return word === 0n ? 'false' : 'true';
  if (/^address( payable)?$|^contract /.test(type)) return `0x${hexWord(word).slice(24)}`;
  if (type.startsWith('enum ')) return word.toString();
  return type.startsWith('function ') ? undefined : `0x${word.toString(16)}`;
}

/** @param length items or bytes of calldata, where the stack has that; in memory it lies before the data */
function referenceText(
  type: string,
  data: Uint8Array,
  at: bigint,
  length: bigint | undefined,
): string | undefined {
  if (at > BigInt(data.length)) return undefined;
  const start = Number(at);
  const array = /^(.*)\[(\d*)\]$/s.exec(type);
  const isSized = array !== null && array[2] !== '';
  const isInMemory = length === undefined;
  if (type !== 'bytes' && type !== 'string' && !array) return undefined;
  const size = isSized ? BigInt(array[2]!) : isInMemory ? wordIn(data, start) : length;
  if (size === undefined) return undefined;
  const from = isInMemory && !isSized ? start + WORD : start;
  if (!array) {
    const bytes = data.subarray(from, from + Number(size < MOST_BYTES ? size : MOST_BYTES));
    const rest = size > MOST_BYTES ? `… (${size} bytes)` : '';
    return type === 'bytes'
      ? `0x${Buffer.from(bytes).toString('hex')}${rest}`
      : JSON.stringify(Buffer.from(bytes).toString('utf8')) + rest;
  }
  const items: string[] = [];
  for (let i = 0; i < Number(size < MOST_ITEMS ? size : MOST_ITEMS); i++) {
    const word = wordIn(data, from + WORD * i);
    const text = word === undefined ? undefined : wordText(array[1]!, word);
    // Items that are references themselves lie elsewhere.
    if (text === undefined || / |\]$|^(?:bytes|string)$/.test(array[1]!)) return undefined;
    items.push(text);
  }
  return `[${items.join(', ')}${size > MOST_ITEMS ? `, … (${size} items)` : ''}]`;
}

function wordIn(data: Uint8Array, at: number): bigint | undefined {
  if (at + WORD > data.length) return undefined;
  return BigInt(`0x${Buffer.from(data.subarray(at, at + WORD)).toString('hex')}`);
}

function hexWord(word: bigint): string {
  return word.toString(16).padStart(2 * WORD, '0');
}
