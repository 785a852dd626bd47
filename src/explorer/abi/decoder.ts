import type { Abi, AbiEvent, AbiFunction, AbiParameter } from 'viem';
import {
  decodeAbiParameters,
  decodeEventLog,
  encodeAbiParameters,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from 'viem/utils';
import type { Frame, Hex, Log } from '../data/types.ts';
import { type Artifact, matches } from './artifact.ts';
import { KNOWN, PANICS } from './known.ts';

/** A value with its name and type in the ABI. */
export interface Argument {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

/** A decoded call, log or error. */
export interface Decoded {
  readonly name: string;
  /** the contract whose ABI it was decoded with */
  readonly source: string;
  readonly args: readonly Argument[];
  /** the bytes don't fit the ABI; there are no arguments then */
  readonly broken?: boolean;
}

type AbiError = Extract<Abi[number], { type: 'error' }>;
type Entry<T> = { readonly item: T; readonly source: string };

/** Decodes by the selectors of all ABIs it was given. Those of artifacts go before the built-in ones. */
export class Decoder {
  readonly #functions = new Map<string, Entry<AbiFunction>[]>();
  readonly #errors = new Map<string, Entry<AbiError>[]>();
  readonly #events = new Map<string, Entry<AbiEvent>[]>();
  readonly artifacts: readonly Artifact[];

  constructor(artifacts: readonly Artifact[]) {
    this.artifacts = artifacts;
    for (const { name, abi } of artifacts) this.#add(name, abi);
    for (const [name, abi] of Object.entries(KNOWN)) this.#add(name, parseAbi(abi) as Abi);
  }

  /** The artifact whose code this is. */
  artifactOf(code: Hex): Artifact | undefined {
    return this.artifacts.find((artifact) => matches(artifact, code));
  }

  /** The functions of an artifact, or of all contracts that are known. */
  functions(source?: string): Entry<AbiFunction>[] {
    const all = [...this.#functions.values()].flat();
    return source === undefined ? all : all.filter((entry) => entry.source === source);
  }

  /** @param prefer the contract whose ABI goes first @returns `undefined` for an unknown function, or a plain transfer */
  call(input: Hex, prefer?: string): Decoded | undefined {
    return this.#decode(this.#functions.get(input.slice(0, 10)), input, prefer);
  }

  /** What a call returned. */
  result(input: Hex, output: Hex, prefer?: string): readonly Argument[] | undefined {
    for (const { item } of preferred(this.#functions.get(input.slice(0, 10)) ?? [], prefer))
      try {
        return values(item.outputs, output);
      } catch {
        // Another contract's function of the same name may return something else.
      }
    return undefined;
  }

  /** @param data what a call reverted with */
  error(data: Hex, prefer?: string): Decoded | undefined {
    const decoded = this.#decode(this.#errors.get(data.slice(0, 10)), data, prefer);
    if (decoded?.name !== 'Panic' || decoded.broken) return decoded;
    const meaning = PANICS[Number(decoded.args[0]!.value)];
    return meaning
      ? { ...decoded, args: [...decoded.args, { name: 'meaning', type: 'string', value: meaning }] }
      : decoded;
  }

  log({ topics, data }: Pick<Log, 'topics' | 'data'>, prefer?: string): Decoded | undefined {
    const [topic] = topics;
    const entries = preferred((topic && this.#events.get(topic)) || [], prefer);
    for (const { item, source } of entries)
      try {
        const { args } = decodeEventLog({ abi: [item], topics: topics as [Hex, ...Hex[]], data });
        const named = (args ?? {}) as Record<string, unknown>;
        const list = item.inputs.map(({ name, type }, i) => ({
          name: name ?? '',
          type,
          value: Array.isArray(args) ? args[i] : named[name ?? ''],
        }));
        return { name: item.name, source, args: list };
      } catch {
        // ERC-20 and ERC-721 share topics, and differ in which values are indexed.
      }
    return entries[0] && { name: entries[0].item.name, source: entries[0].source, args: [], broken: true };
  }

  /** The topic of the first event with this name. */
  topicOf(name: string): string | undefined {
    for (const [topic, entries] of this.#events)
      if (entries.some(({ item }) => item.name === name)) return topic;
    return undefined;
  }

  #decode<T extends AbiFunction | AbiError>(
    entries: readonly Entry<T>[] | undefined,
    data: Hex,
    prefer: string | undefined,
  ): Decoded | undefined {
    if (!entries || data.length < 10) return undefined;
    const inOrder = preferred(entries, prefer);
    for (const { item, source } of inOrder)
      try {
        return { name: item.name, source, args: values(item.inputs, `0x${data.slice(10)}`) };
      } catch {
        // Another one may have the same selector.
      }
    return { name: inOrder[0]!.item.name, source: inOrder[0]!.source, args: [], broken: true };
  }

  #add(source: string, abi: Abi): void {
    for (const item of abi)
      try {
        if (item.type === 'function') put(this.#functions, toFunctionSelector(item), { item, source });
        else if (item.type === 'event') put(this.#events, toEventSelector(item), { item, source });
        else if (item.type === 'error')
          put(this.#errors, toFunctionSelector({ ...item, type: 'function' } as unknown as AbiFunction), {
            item,
            source,
          });
      } catch {
        // An item that is no valid ABI decodes nothing.
      }
  }
}

function put<T>(map: Map<string, T[]>, key: string, entry: T): void {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
}

function preferred<T>(entries: readonly Entry<T>[], source: string | undefined): readonly Entry<T>[] {
  return [...entries].sort((a, b) => Number(b.source === source) - Number(a.source === source));
}

function values(parameters: readonly AbiParameter[], data: Hex): Argument[] {
  const decoded = parameters.length === 0 ? [] : decodeAbiParameters(parameters, data);
  return parameters.map(({ name = '', type }, i) => ({ name, type, value: decoded[i] }));
}

/**
 * A call's data from values as they are typed into a form.
 * @throws Error that names the first value that doesn't fit
 */
export function encodeCall(item: AbiFunction, texts: readonly string[]): Hex {
  const args = item.inputs.map((input, i) => parseValue(input, texts[i] ?? ''));
  return `${toFunctionSelector(item)}${encodeAbiParameters(item.inputs, args).slice(2)}`;
}

function parseValue({ name = '', type }: AbiParameter, text: string): unknown {
  const wrong = (expected: string) => new Error(`${name || type}: expected ${expected}`);
  if (type.endsWith(']') || type.startsWith('tuple'))
    try {
      return JSON.parse(text);
    } catch {
      throw wrong(`${type} as JSON`);
    }
  if (/^u?int/.test(type))
    try {
      return BigInt(text.replaceAll(/[_,\s]/g, ''));
    } catch {
      throw wrong('a whole number');
    }
  if (type === 'bool') {
    if (text !== 'true' && text !== 'false') throw wrong('true or false');
    return text === 'true';
  }
  if (type === 'address' && !/^0x[0-9a-f]{40}$/i.test(text)) throw wrong('an address');
  if (type.startsWith('bytes') && !/^0x([0-9a-f]{2})*$/i.test(text))
    throw wrong('bytes as 0x and hex digits');
  return type === 'address' ? text.toLowerCase() : text;
}

const CONSOLE = '0x000000000000000000636f6e736f6c652e6c6f67';
let consoleTypes: Map<string, AbiParameter[]> | undefined;

/** What the calls of a transaction said with Hardhat's `console.log`, a line each. */
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

/** The parameters of each overload of `console.log` by its selector: up to four of these types. */
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
