import type { Abi, AbiEvent, AbiFunction, AbiParameter, Hex } from 'viem';
import {
  decodeAbiParameters,
  decodeEventLog,
  encodeAbiParameters,
  keccak256,
  parseAbi,
  toBytes,
  toEventSignature,
  toFunctionSignature,
} from 'viem/utils';
import { type Artifact, matches } from './artifact.ts';
import { KNOWN, PANICS } from './known.ts';

/** A value with its name and type in the ABI. */
export interface Argument {
  readonly name: string;
  readonly type: string;
  /** members of a struct, or of the structs in an array */
  readonly components?: readonly AbiParameter[];
  readonly value: unknown;
}

/** A decoded call, log or error. */
export interface Decoded {
  readonly name: string;
  /** the contract whose ABI it was decoded with */
  readonly source: string;
  readonly args: readonly Argument[];
  /** whether the data doesn't fit the ABI; `args` is empty then */
  readonly broken?: boolean;
}

type AbiError = Extract<Abi[number], { type: 'error' }>;
type Entry<T> = { readonly item: T; readonly source: string };
type Kinds = { functions: AbiFunction; errors: AbiError; events: AbiEvent };
type ByKind = { readonly [Kind in keyof Kinds]: Map<string, Entry<Kinds[Kind]>[]> };

/** Items of ABIs: functions and errors by their selectors, events by their topics. */
class Items implements ByKind {
  readonly functions = new Map<string, Entry<AbiFunction>[]>();
  readonly errors = new Map<string, Entry<AbiError>[]>();
  readonly events = new Map<string, Entry<AbiEvent>[]>();
  /** signature -> its hash: contracts of a project have many functions in common */
  readonly #hashes = new Map<string, Hex>();

  /** @param source name of the contract that has this ABI */
  add(source: string, abi: Abi): this {
    for (const item of abi)
      try {
        if (item.type === 'function') put(this.functions, this.#selector(item), { item, source });
        else if (item.type === 'event')
          put(this.events, this.#hash(toEventSignature(item)), { item, source });
        else if (item.type === 'error') {
          const selector = this.#selector({ ...item, type: 'function' } as unknown as AbiFunction);
          put(this.errors, selector, { item, source });
        }
      } catch {
        // An invalid item is left out.
      }
    return this;
  }

  #selector(item: AbiFunction): Hex {
    return this.#hash(toFunctionSignature(item)).slice(0, 10) as Hex;
  }

  #hash(signature: string): Hex {
    let hash = this.#hashes.get(signature);
    if (hash === undefined) {
      hash = keccak256(toBytes(signature));
      this.#hashes.set(signature, hash);
    }
    return hash;
  }
}

let known: Items | undefined;

/** The items of {@link KNOWN}, parsed when first needed, because that takes 20 ms in a new process. */
function builtIn(): Items {
  if (known) return known;
  known = new Items();
  for (const [name, abi] of Object.entries(KNOWN)) known.add(name, parseAbi(abi) as Abi);
  return known;
}

/** Decodes with all ABIs that were added, and with the built-in ones, which come last. */
export class Decoder {
  readonly #own = new Items();
  readonly #artifacts: Artifact[] = [];

  constructor(artifacts: readonly Artifact[] = []) {
    for (const artifact of artifacts) this.add(artifact);
  }

  get artifacts(): readonly Artifact[] {
    return this.#artifacts;
  }

  /** Adds an artifact after the present ones. */
  add(artifact: Artifact): void {
    this.#artifacts.push(artifact);
    this.#own.add(artifact.name, artifact.abi);
  }

  /** The artifact that a deployed code was made from. */
  artifactOf(code: Hex): Artifact | undefined {
    return this.#artifacts.find((artifact) => matches(artifact, code));
  }

  /** The functions of one contract, or of all known contracts, with their selectors. @param source name of the contract */
  functions(source?: string): (Entry<AbiFunction> & { readonly selector: Hex })[] {
    const all = [...builtIn().functions, ...this.#own.functions].flatMap(([selector, entries]) =>
      entries.map((entry) => ({ ...entry, selector: selector as Hex })),
    );
    return source === undefined ? all : all.filter((entry) => entry.source === source);
  }

  /** @param prefer the contract whose ABI is tried first @returns `undefined` for an unknown function, or a plain transfer */
  call(input: Hex, prefer?: string): Decoded | undefined {
    return decode(this.#entries('functions', input.slice(0, 10), prefer), input);
  }

  /** Decodes what a call returned. */
  result(input: Hex, output: Hex, prefer?: string): readonly Argument[] | undefined {
    for (const { item } of this.#entries('functions', input.slice(0, 10), prefer))
      try {
        return decodeArguments(item.outputs, output);
      } catch {
        // A function of another contract with the same signature may have other outputs.
      }
    return undefined;
  }

  /** @param data of a revert */
  error(data: Hex, prefer?: string): Decoded | undefined {
    const decoded = decode(this.#entries('errors', data.slice(0, 10), prefer), data);
    if (decoded?.name !== 'Panic' || decoded.broken) return decoded;
    const meaning = PANICS[Number(decoded.args[0]!.value)];
    return meaning
      ? { ...decoded, args: [...decoded.args, { name: 'meaning', type: 'string', value: meaning }] }
      : decoded;
  }

  /** Decodes a custom error of an artifact. @returns `undefined` if no artifact has the error, or the data fits none */
  artifactError(data: Hex): Decoded | undefined {
    const decoded = decode(this.#own.errors.get(data.slice(0, 10)) ?? [], data);
    return decoded?.broken ? undefined : decoded;
  }

  log({ topics, data }: { topics: readonly Hex[]; data: Hex }, prefer?: string): Decoded | undefined {
    const [topic] = topics;
    const entries = topic === undefined ? [] : this.#entries('events', topic, prefer);
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
        // ERC-20 and ERC-721 have events with the same topic, but other indexed values.
      }
    return entries[0] && { name: entries[0].item.name, source: entries[0].source, args: [], broken: true };
  }

  /** The topic of the first event with this name. */
  topicOf(name: string): string | undefined {
    for (const { events } of [this.#own, builtIn()])
      for (const [topic, entries] of events) if (entries.some(({ item }) => item.name === name)) return topic;
    return undefined;
  }

  /** Entries of the preferred contract first, then those of artifacts, then the built-in ones. */
  #entries<Kind extends keyof Kinds>(
    kind: Kind,
    key: string,
    prefer: string | undefined,
  ): readonly Entry<Kinds[Kind]>[] {
    const of = (items: ByKind) => items[kind].get(key) ?? [];
    const all = [...of(this.#own), ...of(builtIn())];
    return all.sort((a, b) => Number(b.source === prefer) - Number(a.source === prefer));
  }
}

function decode(entries: readonly Entry<AbiFunction | AbiError>[], data: Hex): Decoded | undefined {
  const [first] = entries;
  if (!first || data.length < 10) return undefined;
  for (const { item, source } of entries)
    try {
      return { name: item.name, source, args: decodeArguments(item.inputs, `0x${data.slice(10)}`) };
    } catch {
      // Another item with the same selector may fit.
    }
  return { name: first.item.name, source: first.source, args: [], broken: true };
}

function put<T>(map: Map<string, T[]>, key: string, entry: T): void {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
}

/** The names of the functions of an ABI by selector, 8 hex digits. */
export function functionNames({ name, abi }: Artifact): ReadonlyMap<string, string> {
  const { functions } = new Items().add(name, abi);
  return new Map([...functions].map(([selector, entries]) => [selector.slice(2), entries[0]!.item.name]));
}

/** @throws if the data doesn't fit */
export function decodeArguments(parameters: readonly AbiParameter[], data: Hex): Argument[] {
  const decoded = parameters.length === 0 ? [] : decodeAbiParameters(parameters.map(decodable), data);
  return parameters.map(({ name = '', type, ...rest }, i) => ({
    name,
    type,
    ...('components' in rest && { components: rest.components }),
    value: decoded[i],
  }));
}

/** ABI-encodes decoded values again. */
export function encoded(args: readonly Argument[]): Hex {
  return encodeAbiParameters(
    args.map(decodable),
    args.map(({ value }) => value),
  );
}

/** viem doesn't decode function pointers: they are decoded as `bytes24`, an address and a selector. */
function decodable(parameter: AbiParameter | Argument): AbiParameter {
  const { components } = parameter as { readonly components?: readonly AbiParameter[] };
  return {
    ...parameter,
    type: parameter.type.replace(/^function(?=\[|$)/, 'bytes24'),
    ...(components && { components: components.map(decodable) }),
  } as AbiParameter;
}
