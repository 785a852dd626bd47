import type { AbiFunction, AbiParameter } from 'viem';
import { decodeAbiParameters, encodeAbiParameters, getAddress, toFunctionSelector } from 'viem/utils';
import type { Frame, Hex } from '../data/types.ts';
import { wholeNumber } from '../data/units.ts';

export { type Argument, type Decoded, Decoder } from '../../sources/abi/decoder.ts';
export { getAddress };

/**
 * Encodes a call's data from the values typed into a form. Amounts may be `1.5 ether` or `1e18`; addresses may be names.
 * @throws Error that names the first value that doesn't fit
 */
export function encodeCall(item: AbiFunction, texts: readonly string[], reader: Reader = {}): Hex {
  const args = item.inputs.map((input, i) => parseValue(input, texts[i] ?? '', reader));
  return `${toFunctionSelector(item)}${encodeAbiParameters(item.inputs, args).slice(2)}`;
}

/** What a form needs to read names and units. */
export interface Reader {
  /** resolves a name to its address */
  readonly addressIn?: (text: string) => Hex | undefined;
  /** decimals of tokens by symbol in lower case */
  readonly symbols?: Readonly<Record<string, number>>;
}

function parseValue(
  { name = '', type }: AbiParameter,
  text: string,
  { addressIn, symbols }: Reader,
): unknown {
  const wrong = (expected: string) => new Error(`${name || type}: expected ${expected}`);
  if (type.endsWith(']') || type.startsWith('tuple'))
    try {
      return JSON.parse(text);
    } catch {
      throw wrong(`${type} as JSON`);
    }
  if (/^u?int/.test(type)) {
    const value = wholeNumber(text, { ...(symbols && { symbols }) });
    if (value === undefined) throw wrong('a whole number, such as 1,000, 1e18 or 1.5 ether');
    return value;
  }
  if (type === 'bool') {
    if (text !== 'true' && text !== 'false') throw wrong('true or false');
    return text === 'true';
  }
  if (type === 'address') {
    const address = addressIn?.(text) ?? (/^0x[0-9a-f]{40}$/i.test(text) ? text : undefined);
    if (!address) throw wrong('an address');
    return address.toLowerCase();
  }
  if (type.startsWith('bytes') && !/^0x([0-9a-f]{2})*$/i.test(text))
    throw wrong('bytes as 0x and hex digits');
  return text;
}

const CONSOLE = '0x000000000000000000636f6e736f6c652e6c6f67';
let consoleTypes: Map<string, AbiParameter[]> | undefined;

/** The lines that the calls of a transaction logged with Hardhat's `console.log`. */
export function consoleLines({ to, input, calls = [] }: Frame): string[] {
  const own = to?.toLowerCase() === CONSOLE ? consoleLine(input) : undefined;
  return [...(own === undefined ? [] : [own]), ...calls.flatMap(consoleLines)];
}

function consoleLine(input: Hex): string | undefined {
  consoleTypes ??= allConsoleTypes();
  const types = consoleTypes.get(input.slice(0, 10));
  if (!types) return undefined;
  try {
    const args = decodeAbiParameters(types, `0x${input.slice(10)}`).map(String);
    const [first = '', ...rest] = args;
    const filled = first.replace(/%[sdif]/g, (mark) => rest.shift() ?? mark);
    return [filled, ...rest].join(' ');
  } catch {
    return undefined;
  }
}

/** The parameters of each overload of `console.log` by selector: up to four parameters of the types in `single`. */
function allConsoleTypes(): Map<string, AbiParameter[]> {
  const single = ['uint256', 'string', 'bool', 'address'];
  let lists: string[][] = [[]];
  const all = new Map<string, AbiParameter[]>();
  const add = (types: string[]) =>
    all.set(
      toFunctionSelector(`log(${types.join()})`),
      types.map((type) => ({ type })),
    );
  add([]);
  for (let length = 1; length <= 4; length++) {
    lists = lists.flatMap((types) => single.map((type) => [...types, type]));
    for (const types of lists) add(types);
  }
  for (const type of ['int256', 'bytes', ...Array.from({ length: 32 }, (_, i) => `bytes${i + 1}`)])
    add([type]);
  return all;
}
