import {
  type Address,
  bytesToHex,
  bytesToUtf8,
  equalsBytes,
  hexToBytes,
  utf8ToBytes,
} from '@ethereumjs/util';
import { integerOf } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';

/** Address of the console contract, `console.log` in ASCII: Hardhat's and Forge's console.sol call it. */
const CONSOLE_TEXT = '0x000000000000000000636f6e736f6c652e6c6f67';
const CONSOLE = hexToBytes(CONSOLE_TEXT);

export function isConsole(address: Address): boolean {
  return equalsBytes(address.bytes, CONSOLE);
}

/** Like {@link isConsole}, for an address as text. */
export function isConsoleText(address: string): boolean {
  return address.toLowerCase() === CONSOLE_TEXT;
}

type Type = 'string' | 'uint256' | 'int256' | 'bool' | 'address' | 'bytes' | `bytes${number}`;

/** `log` has an overload for every sequence of up to four parameters of these types, e.g. `log(string,uint256)`. */
const MIXED: readonly Type[] = ['uint256', 'string', 'bool', 'address'];
/** Hardhat's first versions, and old copies of the contract, hash `uint` and `int` instead of the full type names. */
const SHORT: Readonly<Record<string, string>> = { uint256: 'uint', int256: 'int' };

let table: ReadonlyMap<string, readonly Type[]> | undefined;

/** Selector -> parameter types. Built on first use, since it takes about 1,000 hashes. */
function signatures(): ReadonlyMap<string, readonly Type[]> {
  if (table) return table;
  const selectors = new Map<string, readonly Type[]>();
  const add = (types: readonly Type[]) => {
    for (const names of [types, types.map((type) => SHORT[type] ?? type)])
      selectors.set(bytesToHex(keccak256(utf8ToBytes(`log(${names.join(',')})`)).subarray(0, 4)), types);
  };
  let lists: (readonly Type[])[] = [[]];
  for (let length = 0; length <= 4; length++) {
    for (const list of lists) add(list);
    lists = lists.flatMap((list) => MIXED.map((type) => [...list, type]));
  }
  const single: Type[] = ['int256', 'bytes'];
  for (let size = 1; size <= 32; size++) single.push(`bytes${size}`);
  for (const type of single) {
    add([type]);
    // logInt, logBytes32 and similar functions have names of their own.
    const name = `log${type === 'int256' ? 'Int' : type.replace('bytes', 'Bytes')}`;
    for (const spelled of new Set([type, SHORT[type] ?? type]))
      selectors.set(bytesToHex(keccak256(utf8ToBytes(`${name}(${spelled})`)).subarray(0, 4)), [type]);
  }
  for (const [name, type] of [
    ['logUint', 'uint256'],
    ['logString', 'string'],
    ['logBool', 'bool'],
    ['logAddress', 'address'],
  ] as const)
    for (const spelled of new Set([type, SHORT[type] ?? type]))
      selectors.set(bytesToHex(keccak256(utf8ToBytes(`${name}(${spelled})`)).subarray(0, 4)), [type]);
  add(['string', 'int256']);
  table = selectors;
  return selectors;
}

type Value = string | bigint | boolean;

/**
 * The line that a call to the console prints: the arguments separated by spaces, or inserted at the placeholders (%s, %d, %i, %x, %o) of
 * the first one.
 * @returns `undefined` when the bytes aren't such a call
 */
export function decodeConsoleLog(data: Uint8Array): string | undefined {
  if (data.length < 4) return undefined;
  const types = signatures().get(bytesToHex(data.subarray(0, 4)));
  if (!types) return undefined;
  const values: Value[] = [];
  for (const [i, type] of types.entries()) {
    const value = decodeValue(type, data.subarray(4), 32 * i);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return formatLine(values);
}

function decodeValue(type: Type, data: Uint8Array, at: number): Value | undefined {
  if (at + 32 > data.length) return undefined;
  const word = data.subarray(at, at + 32);
  switch (type) {
    case 'uint256':
      return integerOf(word);
    case 'int256':
      return BigInt.asIntN(256, integerOf(word));
    case 'bool':
      return integerOf(word) !== 0n;
    case 'address':
      return bytesToHex(word.subarray(12));
    case 'string':
    case 'bytes': {
      const start = integerOf(word);
      if (start + 32n > BigInt(data.length)) return undefined;
      const from = Number(start) + 32;
      const length = integerOf(data.subarray(from - 32, from));
      if (length > BigInt(data.length - from)) return undefined;
      const bytes = data.subarray(from, from + Number(length));
      return type === 'string' ? bytesToUtf8(bytes) : bytesToHex(bytes);
    }
    default:
      return bytesToHex(word.subarray(0, Number(type.slice(5))));
  }
}

function formatLine([first, ...rest]: readonly Value[]): string {
  if (first === undefined) return '';
  const left = [...rest];
  const text =
    typeof first === 'string'
      ? first.replace(/%[sdixo%]/g, (place) => {
          if (place === '%%') return rest.length > 0 ? '%' : place;
          const value = left.shift();
          return value === undefined ? place : formatPlace(place, value);
        })
      : String(first);
  return [text, ...left.map(String)].join(' ');
}

function formatPlace(place: string, value: Value): string {
  if (place === '%s' || place === '%o') return String(value);
  if (place === '%x')
    return typeof value === 'bigint' ? `0x${BigInt.asUintN(256, value).toString(16)}` : String(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'bigint') return String(value);
  // An address is shown as a number, as in Node's console; any other text as NaN.
  return /^0x[0-9a-f]+$/i.test(value) ? String(BigInt(value)) : 'NaN';
}

/** A line that a contract prints. */
export interface ConsoleLine {
  readonly line: string;
  /** the contract that prints it */
  readonly from: Address;
}

/** Receives a line that a contract prints, and the contract. */
export type OnConsole = (line: string, from: Address) => void;

/** Whether lines are reported: for every run, for none, or only for a run that fails. */
export type ConsoleOf = boolean | 'failed';

/**
 * Reports the lines of a run when it has ended. Only then is it known whether they should be printed: the lines of an estimate are printed
 * again by the transaction that follows it, unless the estimate fails.
 */
export function tellConsole(
  lines: readonly ConsoleLine[],
  run: { readonly of: ConsoleOf; readonly failed: boolean },
  onConsole: OnConsole,
): void {
  if (run.of === 'failed' && !run.failed) return;
  for (const { line, from } of lines) onConsole(line, from);
}

/** The line that a message prints by calling the console address directly; `undefined` for other messages. */
export function consoleLineOf({ to, data, from }: CalledDirectly): ConsoleLine | undefined {
  const line = to && isConsole(to) ? decodeConsoleLog(data) : undefined;
  return line === undefined ? undefined : { line, from };
}

/** The fields of a message that tell whether it calls the console. */
export interface CalledDirectly {
  readonly to?: Address | undefined;
  readonly data: Uint8Array;
  readonly from: Address;
}
