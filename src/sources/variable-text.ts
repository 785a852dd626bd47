import { toChecksumAddress } from '@ethereumjs/util';

/** Most bytes, and most items of arrays, that the text has. */
const MAX_BYTES = 1_024;
const MAX_ITEMS = 32;
const WORD = 32;
const MAX_OFFSET = 2n ** 32n;

/** The stack, memory and calldata from which values of variables are read. */
export interface VariableValues {
  /** a word of the stack, where word 0 is the first word of the function's parameters. `undefined` = not known */
  word(place: number): bigint | undefined;
  /** the memory from an offset on, as far as it is known; `undefined` = not known at all */
  memoryFrom(at: number): Uint8Array | undefined;
  /** calldata of the message */
  readonly input: Uint8Array;
}

/**
 * The text of a variable's value.
 * @param type as solc writes it
 * @param place number of its first word on the stack
 * @returns `undefined` if the value isn't known
 */
export function variableText(type: string, place: number, values: VariableValues): string | undefined {
  const word = values.word(place);
  if (word === undefined) return undefined;
  const [, base = '', location] =
    /^(.*?) (memory|calldata|storage ref|storage pointer)(?: slice)?$/s.exec(type) ?? [];
  if (location === undefined) return wordText(type, word);
  if (location.startsWith('storage')) return `storage slot 0x${word.toString(16)}`;
  if (word > MAX_OFFSET) return undefined;
  const { input } = values;
  if (location === 'memory') return referenceText(base, values.memoryFrom(Number(word)), undefined);
  return referenceText(base, input.subarray(Number(word)), values.word(place + 1));
}

/** The text of a value of one word; addresses have their checksum (ERC-55). */
function wordText(type: string, word: bigint): string | undefined {
  const [, kind = '', size = '256'] = /^(u?int|bytes)(\d+)?$/.exec(type) ?? [];
  if (kind === 'uint') return BigInt.asUintN(Number(size), word).toString();
  if (kind === 'int') return BigInt.asIntN(Number(size), word).toString();
  if (kind === 'bytes') return `0x${hexWord(word).slice(0, 2 * Number(size))}`;
  if (type === 'bool') return word === 0n ? 'false' : 'true';
  if (/^address( payable)?$|^contract /.test(type)) return toChecksumAddress(`0x${hexWord(word).slice(24)}`);
  if (type.startsWith('enum ')) return word.toString();
  return type.startsWith('function ') ? undefined : `0x${word.toString(16)}`;
}

/**
 * @param data from where the reference points
 * @param length number of items or bytes, of calldata; memory has it in front of the data
 */
function referenceText(
  type: string,
  data: Uint8Array | undefined,
  length: bigint | undefined,
): string | undefined {
  if (!data) return undefined;
  const array = /^(.*)\[(\d*)\]$/s.exec(type);
  const isSized = array !== null && array[2] !== '';
  const isInMemory = length === undefined;
  if (type !== 'bytes' && type !== 'string' && !array) return undefined;
  const size = isSized ? BigInt(array[2]!) : isInMemory ? wordIn(data, 0) : length;
  if (size === undefined) return undefined;
  const from = isInMemory && !isSized ? WORD : 0;
  if (!array) {
    const bytes = data.subarray(from, from + Number(size < MAX_BYTES ? size : MAX_BYTES));
    const rest = size > MAX_BYTES ? `… (${size} bytes)` : '';
    return type === 'bytes'
      ? `0x${Buffer.from(bytes).toString('hex')}${rest}`
      : JSON.stringify(Buffer.from(bytes).toString('utf8')) + rest;
  }
  const items: string[] = [];
  for (let i = 0; i < Number(size < MAX_ITEMS ? size : MAX_ITEMS); i++) {
    const word = wordIn(data, from + WORD * i);
    const text = word === undefined ? undefined : wordText(array[1]!, word);
    // Items that are references have their data elsewhere.
    if (text === undefined || /^struct |\]$|^(?:bytes|string)$/.test(array[1]!)) return undefined;
    items.push(text);
  }
  return `[${items.join(', ')}${size > MAX_ITEMS ? `, … (${size} items)` : ''}]`;
}

function wordIn(data: Uint8Array, at: number): bigint | undefined {
  if (at + WORD > data.length) return undefined;
  return BigInt(`0x${Buffer.from(data.subarray(at, at + WORD)).toString('hex')}`);
}

function hexWord(word: bigint): string {
  return word.toString(16).padStart(2 * WORD, '0');
}
