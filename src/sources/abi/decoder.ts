import type { Abi, AbiEvent, AbiFunction, AbiParameter, Hex } from 'viem';
import {
  decodeAbiParameters,
  decodeEventLog,
  encodeAbiParameters,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from 'viem/utils';
import { type Artifact, matches } from './artifact.ts';
import { KNOWN, PANICS } from './known.ts';

/** A value with its name and type in the ABI. */
export interface Argument {
  readonly name: string;
  readonly type: string;
  /** of a struct, or of structs in a list */
  readonly components?: readonly AbiParameter[];
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
/** `isBuiltIn`: of {@link KNOWN}, and of no artifact */
type Entry<T> = { readonly item: T; readonly source: string; readonly isBuiltIn: boolean };

/** Decodes by the selectors of all ABIs it was given. Those of artifacts go before the built-in ones. */
export class Decoder {
  readonly #functions = new Map<string, Entry<AbiFunction>[]>();
  readonly #errors = new Map<string, Entry<AbiError>[]>();
  readonly #events = new Map<string, Entry<AbiEvent>[]>();
  readonly #artifacts: Artifact[] = [];

  constructor(artifacts: readonly Artifact[] = []) {
    for (const [name, abi] of Object.entries(KNOWN)) this.#add(name, parseAbi(abi) as Abi, true);
    for (const artifact of artifacts) this.add(artifact);
  }

  get artifacts(): readonly Artifact[] {
    return this.#artifacts;
  }

  /** One more artifact: it goes after those that are there. */
  add(artifact: Artifact): void {
    this.#artifacts.push(artifact);
    this.#add(artifact.name, artifact.abi, false);
  }

  /** The artifact whose code this is. */
  artifactOf(code: Hex): Artifact | undefined {
    return this.#artifacts.find((artifact) => matches(artifact, code));
  }

  /** The functions of an artifact, or of all contracts that are known, with their selectors. */
  functions(source?: string): (Entry<AbiFunction> & { readonly selector: Hex })[] {
    const all = [...this.#functions].flatMap(([selector, entries]) =>
      entries.map((entry) => ({ ...entry, selector: selector as Hex })),
    );
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
        return decodeArguments(item.outputs, output);
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

  /** A custom error of an artifact. @returns `undefined` where no artifact has it, or the bytes fit none */
  artifactError(data: Hex): Decoded | undefined {
    const entries = this.#errors.get(data.slice(0, 10))?.filter(({ isBuiltIn }) => !isBuiltIn);
    const decoded = this.#decode(entries, data, undefined);
    return decoded?.broken ? undefined : decoded;
  }

  log({ topics, data }: { topics: readonly Hex[]; data: Hex }, prefer?: string): Decoded | undefined {
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
    let builtIn: string | undefined;
    for (const [topic, entries] of this.#events)
      for (const { item, isBuiltIn } of entries)
        if (item.name === name) {
          if (!isBuiltIn) return topic;
          builtIn ??= topic;
        }
    return builtIn;
  }

  #decode<T extends AbiFunction | AbiError>(
    entries: readonly Entry<T>[] | undefined,
    data: Hex,
    prefer: string | undefined,
  ): Decoded | undefined {
    if (!entries?.length || data.length < 10) return undefined;
    const inOrder = preferred(entries, prefer);
    for (const { item, source } of inOrder)
      try {
        return { name: item.name, source, args: decodeArguments(item.inputs, `0x${data.slice(10)}`) };
      } catch {
        // Another one may have the same selector.
      }
    return { name: inOrder[0]!.item.name, source: inOrder[0]!.source, args: [], broken: true };
  }

  #add(source: string, abi: Abi, isBuiltIn: boolean): void {
    for (const item of abi)
      try {
        if (item.type === 'function')
          put(this.#functions, toFunctionSelector(item), { item, source, isBuiltIn });
        else if (item.type === 'event') put(this.#events, toEventSelector(item), { item, source, isBuiltIn });
        else if (item.type === 'error') {
          const selector = toFunctionSelector({ ...item, type: 'function' } as unknown as AbiFunction);
          put(this.#errors, selector, { item, source, isBuiltIn });
        }
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

/** The preferred contract's first, then those of artifacts, then the built-in ones. */
function preferred<T>(entries: readonly Entry<T>[], source: string | undefined): readonly Entry<T>[] {
  const rank = (entry: Entry<T>) => (entry.source === source ? 0 : entry.isBuiltIn ? 2 : 1);
  return [...entries].sort((a, b) => rank(a) - rank(b));
}

/** @throws where the data doesn't fit */
export function decodeArguments(parameters: readonly AbiParameter[], data: Hex): Argument[] {
  const decoded = parameters.length === 0 ? [] : decodeAbiParameters(parameters.map(decodable), data);
  return parameters.map(({ name = '', type, ...rest }, i) => ({
    name,
    type,
    ...('components' in rest && { components: rest.components }),
    value: decoded[i],
  }));
}

/** The bytes of decoded values, as Solidity encodes them. */
export function encoded(args: readonly Argument[]): Hex {
  return encodeAbiParameters(
    args.map(decodable),
    args.map(({ value }) => value),
  );
}

/** viem doesn't decode pointers to external functions: they are encoded as 24 bytes, an address and a selector. */
function decodable(parameter: AbiParameter | Argument): AbiParameter {
  const { components } = parameter as { readonly components?: readonly AbiParameter[] };
  return {
    ...parameter,
    type: parameter.type.replace(/^function(?=\[|$)/, 'bytes24'),
    ...(components && { components: components.map(decodable) }),
  } as AbiParameter;
}
