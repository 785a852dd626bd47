import { JsonSlice } from '../json-slice.ts';
import type { BuildInfo, BuiltCode, BuiltContract, BuiltSource, Masked } from './compilation.ts';

type Json = Readonly<Record<string, unknown>>;

/** The compiler's version, and its input and output as standard JSON. */
export interface CompilerRun {
  readonly solcVersion: unknown;
  readonly input: unknown;
  readonly output: unknown;
}

/** The record of a compiler run that a build tool stores. */
export interface KeptBuild {
  /** `undefined` if the record doesn't include the compiler's output */
  readonly info: BuildInfo | undefined;
  readonly id: string;
  /** Foundry without `--build-info`: names of the sources by their ids in source maps */
  readonly paths: ReadonlyMap<number, string> | undefined;
}

/** Writes a compiler run in the form of a build info. */
export function textOfRun(run: CompilerRun): JsonSlice {
  return new JsonSlice(Buffer.from(JSON.stringify(run)));
}

/**
 * Reads the input and output of a compiler run. Most of their bytes are syntax trees, source texts and bytecodes: one pass finds their
 * positions, and each of them is parsed when it is first used.
 * @param text a build info: an object with `solcVersion`, `input` and `output`
 * @param beside Hardhat 3: the file that has `output`
 * @throws SyntaxError if it isn't JSON
 */
export function readBuild(text: JsonSlice, beside?: JsonSlice): KeptBuild {
  let input: Input = { texts: new Map(), settings: {} };
  let output: Output | undefined;
  const others = new Map<string, JsonSlice>();
  for (const [name, value] of text.members())
    if (name === 'input') input = readInput(value);
    else if (name === 'output') output = readOutput(value);
    else others.set(name, value);
  for (const [name, value] of beside?.members() ?? []) if (name === 'output') output ??= readOutput(value);
  const other = (name: string) => parsedPart(others.get(name));
  // Hardhat 3: the user's names of sources -> those in the input
  const userNames = Object.entries(objectOf(other('userSourceNameMap')));
  const names = new Map(userNames.map(([user, key]) => [key, user]));
  const { optimizer, viaIR } = input.settings;
  const paths = output ? undefined : other('source_id_to_path');
  return {
    info: output && {
      solcVersion: textOf(other('solcVersion')),
      viaIr: viaIR === true,
      isOptimized: objectOf(optimizer).enabled === true,
      sources: output.sources.map(
        ({ key, id, tree }): BuiltSource => ({
          key,
          name: names.get(key) ?? userName(key),
          id,
          text: () => textOf(parsedPart(input.texts.get(key))),
          tree: tree && { id: tree.id, read: () => parsedPart(tree.text) },
        }),
      ),
      contracts: output.contracts,
    },
    id: textOf(other('id')),
    paths: isObject(paths)
      ? new Map(Object.entries(paths).map(([key, path]) => [Number(key), textOf(path)]))
      : undefined,
  };
}

interface Input {
  /** by key of the source */
  readonly texts: ReadonlyMap<string, JsonSlice>;
  readonly settings: Json;
}

function readInput(text: JsonSlice): Input {
  const texts = new Map<string, JsonSlice>();
  let settings: Json = {};
  for (const [name, value] of membersOf(text))
    if (name === 'settings') settings = objectOf(parsedPart(value));
    else if (name === 'sources')
      for (const [key, source] of membersOf(value))
        for (const [part, content] of membersOf(source)) if (part === 'content') texts.set(key, content);
  return { texts, settings };
}

/** A source in the compiler's output. */
interface SourceText {
  readonly key: string;
  readonly id: number;
  readonly tree: { readonly id: number | undefined; readonly text: JsonSlice } | undefined;
}

interface Output {
  readonly sources: readonly SourceText[];
  readonly contracts: readonly BuiltContract[];
}

/** @returns `undefined` if it isn't the output of solc */
function readOutput(text: JsonSlice): Output | undefined {
  let sources: SourceText[] | undefined;
  let contracts: BuiltContract[] | undefined;
  for (const [name, value] of membersOf(text)) {
    if (!value.isObject) continue;
    if (name === 'sources') {
      sources = [];
      for (const [key, source] of value.members()) sources.push(...readSource(key, source));
    } else if (name === 'contracts') {
      contracts = [];
      for (const [key, all] of value.members())
        for (const [contract, parts] of membersOf(all))
          contracts.push(...builtContract(key, contract, parts));
    }
  }
  return sources && contracts && { sources, contracts };
}

function readSource(key: string, text: JsonSlice): SourceText[] {
  let id: unknown;
  let tree: SourceText['tree'];
  for (const [name, value] of membersOf(text))
    if (name === 'id') id = parsedPart(value);
    else if (name === 'ast' && value.isObject) {
      let root: unknown;
      for (const [part, each] of value.members()) if (part === 'id') root = parsedPart(each);
      tree = { id: typeof root === 'number' ? root : undefined, text: value };
    }
  return typeof id === 'number' ? [{ key, id, tree }] : [];
}

function builtContract(source: string, name: string, text: JsonSlice): BuiltContract[] {
  const built = contractOf(source, name, readParts(text));
  return built.creation.size === 0 && built.deployed.size === 0 ? [] : [built];
}

/** Members of a contract, by name. */
export interface ContractParts {
  readonly texts: Map<string, JsonSlice>;
  readonly codes: Map<string, BuiltCode>;
}

/** @param text a contract in solc's output, or an artifact of Foundry, which has the parts of `evm` beside the others */
export function readParts(
  text: JsonSlice,
  parts: ContractParts = { texts: new Map(), codes: new Map() },
): ContractParts {
  for (const [name, value] of membersOf(text))
    if (name === 'evm') readParts(value, parts);
    else if (name === 'bytecode' || name === 'deployedBytecode') parts.codes.set(name, builtCode(value));
    else parts.texts.set(name, value);
  return parts;
}

export function contractOf(source: string, name: string, { texts, codes }: ContractParts): BuiltContract {
  const part = (each: string) => () => parsedPart(texts.get(each));
  const abi = once(part('abi'));
  const selectors = once(() => selectorsOf(part('methodIdentifiers')()));
  return {
    source,
    name,
    creation: codes.get('bytecode') ?? NO_CODE,
    deployed: codes.get('deployedBytecode') ?? NO_CODE,
    get abi() {
      return listOf(abi());
    },
    get selectors() {
      return selectors();
    },
    get storageLayout() {
      return part('storageLayout')();
    },
  };
}

const NO_CODE: BuiltCode = { size: 0, object: '', sourceMap: '', ethdebug: undefined, masked: [] };

function builtCode(text: JsonSlice): BuiltCode {
  const parts = new Map(membersOf(text));
  const part = (name: string) => parsedPart(parts.get(name));
  const object = parts.get('object');
  return {
    size: object ? bytesIn(object) : 0,
    get object() {
      return textOf(part('object')).replace(/^0x/, '');
    },
    get sourceMap() {
      return textOf(part('sourceMap'));
    },
    get ethdebug() {
      const { instructions } = objectOf(part('ethdebug'));
      return this.sourceMap === '' && Array.isArray(instructions) ? instructions : undefined;
    },
    get masked() {
      const files = Object.values(objectOf(part('linkReferences')));
      const links = files.flatMap((file) => Object.values(objectOf(file)));
      const immutables = Object.values(objectOf(part('immutableReferences')));
      return [...immutables, ...links].flatMap((places) => listOf(places).filter(isMasked));
    },
  };
}

/** Number of bytes of a bytecode that is written as hex digits, with or without 0x. */
function bytesIn(object: JsonSlice): number {
  const isPrefixed = object.bytes.toString('latin1', 1, 3) === '0x';
  return Math.max(0, Math.floor((object.length - 2) / 2) - (isPrefixed ? 1 : 0));
}

function selectorsOf(methodIdentifiers: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(objectOf(methodIdentifiers));
  return Object.fromEntries(entries.filter((each): each is [string, string] => typeof each[1] === 'string'));
}

/** Hardhat 3 puts the project's files below `project/`. */
function userName(key: string): string {
  return key.replace(/^project\//, '').replace(/^npm\/((?:@[^/]+\/)?[^@/]+)@[^/]+\//, '$1/');
}

function isMasked(place: unknown): place is Masked {
  const { start, length } = objectOf(place);
  return Number.isSafeInteger(start) && Number.isSafeInteger(length);
}

/** The members of an object; none if the value isn't an object. */
function membersOf(text: JsonSlice): Iterable<readonly [name: string, value: JsonSlice]> {
  return text.isObject ? text.members() : [];
}

/** Parses a member. @returns `undefined` if it is absent or isn't JSON */
export function parsedPart(text: JsonSlice | undefined): unknown {
  try {
    return text?.parse();
  } catch {
    return undefined;
  }
}

/** Computes a value at the first call, and returns the same value afterwards. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
