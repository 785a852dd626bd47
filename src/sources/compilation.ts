import { type Argument, type Decoded, Decoder, decodeArguments, encoded } from './abi/decoder.ts';
import { type Named, readAst, readDeclarations } from './ast.ts';
import { readSolidity } from './solidity-text.ts';
import { type SourceContract, SourceFile, type SourceFunction } from './source-file.ts';
import { type Declaration, layoutOf, readLayout, type StorageLayout } from './storage-layout.ts';

/** A range of bytes that differs in each deployment of a bytecode: an immutable, or a library's address. */
export interface Masked {
  readonly start: number;
  readonly length: number;
}

/** Bytecode of a contract as the compiler wrote it. */
export interface BuiltCode {
  /** bytes */
  readonly size: number;
  /** hex digits without 0x; links to libraries may be placeholders */
  readonly object: string;
  readonly sourceMap: string;
  /** the instructions in solc's ethdebug format, if there is no source map */
  readonly ethdebug: readonly unknown[] | undefined;
  readonly masked: readonly Masked[];
}

export interface BuiltContract {
  /** key of its source in the compilation */
  readonly source: string;
  readonly name: string;
  readonly abi: readonly unknown[];
  readonly creation: BuiltCode;
  readonly deployed: BuiltCode;
  /** `transfer(address,uint256)` -> 8 hex digits */
  readonly selectors: Readonly<Record<string, string>>;
  /** solc's `storageLayout`, if the build tool requested it */
  readonly storageLayout: unknown;
}

export interface BuiltSource {
  /** key in the compilation */
  readonly key: string;
  /** the path in the user's project */
  readonly name: string;
  /** by which source maps name it */
  readonly id: number;
  readonly text: () => string;
  /** `undefined` if the build tool didn't store it */
  readonly tree: SyntaxTree | undefined;
}

/** solc's syntax tree of a source. */
export interface SyntaxTree {
  /** id of the root, the highest id in the tree: ids continue from one source to the next */
  readonly id: number | undefined;
  readonly read: () => unknown;
}

/** The parts of a compiler run that are used here. */
export interface BuildInfo {
  readonly solcVersion: string;
  readonly viaIr: boolean;
  readonly isOptimized: boolean;
  readonly sources: readonly BuiltSource[];
  readonly contracts: readonly BuiltContract[];
}

/** One run of the compiler: its contracts and its files. Each file is read when it is first used. */
export class Compilation {
  readonly solcVersion: string;
  readonly viaIr: boolean;
  readonly isOptimized: boolean;
  /** as the compiler lists them */
  readonly contracts: readonly BuiltContract[];
  /** by their ids in source maps */
  readonly files: ReadonlyMap<number, SourceFile>;
  readonly #byKey = new Map<string, SourceFile>();
  readonly #compiled = new Map<BuiltContract, CompiledContract>();
  /** contracts and modifiers of the files that were read, by the ids of their nodes */
  readonly #named = new Map<number, Named>();
  readonly #declarations = new Map<number, Declaration>();
  /** files that weren't read yet, in the order of their node ids */
  readonly #unread: { readonly lastId: number; readonly file: SourceFile }[] = [];
  /** files without a syntax tree */
  readonly #bare: SourceFile[] = [];
  #isBareRead = false;

  constructor({ solcVersion, viaIr, isOptimized, sources, contracts }: BuildInfo) {
    this.solcVersion = solcVersion;
    this.viaIr = viaIr;
    this.isOptimized = isOptimized;
    this.contracts = contracts;
    const files = new Map<number, SourceFile>();
    for (const { key, name, id, text, tree } of sources) {
      const file = new SourceFile(name, text, (it) => (tree ? this.#readTree(it, tree) : this.#readBare()));
      if (tree) this.#unread.push({ lastId: tree.id ?? Number.POSITIVE_INFINITY, file });
      else this.#bare.push(file);
      files.set(id, file);
      this.#byKey.set(key, file);
    }
    this.#unread.sort((a, b) => a.lastId - b.lastId);
    this.files = files;
  }

  #readTree(file: SourceFile, tree: SyntaxTree): void {
    const ast = tree.read();
    readAst(file, ast, {
      set: (id, named) => this.#named.set(id, named),
      get: (id) => this.#withId(this.#named, id),
    });
    readDeclarations(file, ast, this.#declarations);
  }

  /** Files without a syntax tree refer to each other's contracts by name, so they are read together. */
  #readBare(): void {
    if (this.#isBareRead) return;
    this.#isBareRead = true;
    readSolidity(this.#bare);
  }

  /** @param known is filled when files are read */
  #withId<T>(known: ReadonlyMap<number, T>, id: number): T | undefined {
    while (!known.has(id) && this.#unread.length > 0) {
      const likely = this.#unread.findIndex(({ lastId }) => id <= lastId);
      for (const { file } of this.#unread.splice(Math.max(likely, 0), 1)) file.read();
    }
    return known.get(id);
  }

  /** Of several contracts, returns the one whose source is listed last. */
  lastOf(contracts: readonly BuiltContract[]): BuiltContract | undefined {
    const keys = [...this.#byKey.keys()];
    const placed = contracts.map((contract) => {
      const { source, name } = contract;
      const place = this.#byKey.get(source)?.contracts.findIndex((each) => each.name === name) ?? -1;
      return { contract, file: place < 0 ? -1 : keys.indexOf(source), place };
    });
    return placed.sort((a, b) => a.file - b.file || a.place - b.place).at(-1)?.contract;
  }

  /** The files whose code a contract may contain: its own file, and the files that it imports, directly or indirectly. */
  filesOf({ source }: BuiltContract): readonly SourceFile[] {
    const own = this.#byKey.get(source);
    const found = new Set(own && [own]);
    for (const { imports } of found)
      for (const key of imports ?? this.#byKey.keys()) {
        const file = this.#byKey.get(key);
        if (file) found.add(file);
      }
    return [...this.files.values()].filter((file) => found.has(file));
  }

  contract(built: BuiltContract): CompiledContract {
    let contract = this.#compiled.get(built);
    if (!contract) {
      const source = this.#byKey.get(built.source)?.contracts.find(({ name }) => name === built.name);
      contract = new CompiledContract(built, source);
      this.#compiled.set(built, contract);
    }
    return contract;
  }

  /** The path of a contract's file in the user's project; `undefined` if the compilation doesn't have the contract. */
  fileOf({ source }: BuiltContract): string | undefined {
    return this.#byKey.get(source)?.name;
  }

  /** The storage layout of a contract; `undefined` if neither a syntax tree nor the compiler's own layout is known. */
  layout(built: BuiltContract): StorageLayout | undefined {
    const file = this.#byKey.get(built.source);
    file?.read();
    for (const [id, declared] of this.#declarations)
      if (
        declared.file === file?.name &&
        declared.node.nodeType === 'ContractDefinition' &&
        declared.node.name === built.name
      ) {
        const declarations = { get: (each: number) => this.#withId(this.#declarations, each) };
        return layoutOf(declarations, id) ?? readLayout(built.storageLayout);
      }
    return readLayout(built.storageLayout);
  }
}

/** A contract with the functions that run when it is called. */
export class CompiledContract {
  readonly built: BuiltContract;
  /** `undefined` if its source text isn't known */
  readonly source: SourceContract | undefined;
  readonly #functions = new Map<string, SourceFunction>();
  #decoder: Decoder | undefined;

  constructor(built: BuiltContract, source: SourceContract | undefined) {
    this.built = built;
    this.source = source;
    const external = this.#linearized.flatMap(({ functions }) => functions.filter((each) => each.isExternal));
    for (const each of external)
      if (each.selector && !this.#functions.has(each.selector)) this.#functions.set(each.selector, each);
    for (const [signature, selector] of Object.entries(built.selectors)) {
      const found = this.#functions.has(selector) ? undefined : bySignature(external, signature);
      if (found) this.#functions.set(selector, found);
    }
  }

  get name(): string {
    return this.built.name;
  }

  get isLibrary(): boolean {
    return this.source?.kind === 'library';
  }

  /** The function of a selector. @param data of a call */
  called(data: Uint8Array): SourceFunction | undefined {
    return data.length < 4 ? undefined : this.#functions.get(hexOf(data.subarray(0, 4)));
  }

  /** Whether the ABI has a function with this selector, even if its source text isn't known. */
  hasFunction(data: Uint8Array): boolean {
    if (data.length < 4) return false;
    const selector = hexOf(data.subarray(0, 4));
    return this.#functions.has(selector) || Object.values(this.built.selectors).includes(selector);
  }

  /** Whether the function of a selector has parameters: the getter of a mapping has some, too. @param data of a call */
  takesArguments(data: Uint8Array): boolean {
    const selector = hexOf(data.subarray(0, 4));
    return Object.entries(this.built.selectors).some(
      ([signature, each]) => each === selector && !signature.endsWith('()'),
    );
  }

  /** The constructor that is written in the contract itself. */
  get ownConstructor(): SourceFunction | undefined {
    return this.source?.functions.find(({ kind }) => kind === 'constructor');
  }

  get fallback(): SourceFunction | undefined {
    return this.#inherited('fallback');
  }

  get receive(): SourceFunction | undefined {
    return this.#inherited('receive');
  }

  /** A custom error of this contract's ABI. @param data of a revert, `0x` hex */
  errorIn(data: `0x${string}`): Decoded | undefined {
    this.#decoder ??= new Decoder([{ name: this.name, abi: this.built.abi as never, masked: [] }]);
    return this.#decoder.artifactError(data);
  }

  /** A call of this contract. @param data `0x` hex */
  callIn(data: `0x${string}`): Decoded | undefined {
    this.#decoder ??= new Decoder([{ name: this.name, abi: this.built.abi as never, masked: [] }]);
    const call = this.#decoder.call(data, this.name);
    return call?.broken || call?.source !== this.name ? undefined : call;
  }

  /**
   * Decodes the constructor's arguments, which follow the creation code.
   * @param data of a creation, `0x` hex
   * @returns `undefined` if they can't be decoded
   */
  constructorArguments(data: `0x${string}`): readonly Argument[] | undefined {
    const own = this.built.abi.find((item) => (item as { type?: unknown } | null)?.type === 'constructor');
    const { inputs } = (own ?? {}) as { readonly inputs?: unknown };
    if (!Array.isArray(inputs)) return undefined;
    try {
      return decodeArguments(inputs, `0x${data.slice(2 + this.built.creation.object.length)}`);
    } catch {
      return undefined;
    }
  }

  /**
   * Whether the arguments of a call are encoded exactly as Solidity encodes them, so that the contract can decode them.
   * @param data `0x` hex
   */
  isWellEncoded(data: `0x${string}`): boolean {
    const call = this.callIn(data);
    try {
      return call !== undefined && data.startsWith(encoded(call.args).slice(2), 10);
    } catch {
      return false;
    }
  }

  /** Like {@link isWellEncoded}, for the constructor's arguments. @param data of a creation, `0x` hex */
  isWellConstructed(data: `0x${string}`): boolean {
    const args = this.constructorArguments(data);
    try {
      return (
        args !== undefined && data.startsWith(encoded(args).slice(2), 2 + this.built.creation.object.length)
      );
    } catch {
      return false;
    }
  }

  get #linearized(): readonly SourceContract[] {
    return this.source?.linearized ?? [];
  }

  #inherited(wanted: 'fallback' | 'receive'): SourceFunction | undefined {
    for (const { functions } of this.#linearized)
      for (const each of functions) if (each.kind === wanted) return each;
    return undefined;
  }
}

/** Finds the function with a signature of the ABI. Needed because solc before 0.6.0 doesn't write selectors into the tree. */
function bySignature(functions: readonly SourceFunction[], signature: string): SourceFunction | undefined {
  const [, name = '', list = ''] = /^(.*?)\((.*)\)$/s.exec(signature) ?? [];
  const types = splitTypes(list);
  const named = functions.filter((each) => each.name === name);
  const ofLength = named.filter(
    ({ kind, parameters }) => kind === 'getter' || parameters.length === types.length,
  );
  const fitting = ofLength.filter(({ parameters }) =>
    parameters.every((type, i) => type === undefined || type === types[i] || isNumeric(type, types[i])),
  );
  return fitting[0] ?? ofLength[0];
}

/** An enum with more than 256 values has a larger ABI type than uint8. */
function isNumeric(type: string, other: string | undefined): boolean {
  return type === 'uint8' && /^uint\d+$/.test(other ?? '');
}

/** `uint256,(bytes,bool)[]` -> its two types */
function splitTypes(list: string): string[] {
  const types: string[] = [];
  let depth = 0;
  let type = '';
  for (const character of list) {
    if (character === ',' && depth === 0) {
      types.push(type);
      type = '';
      continue;
    }
    if (character === '(') depth++;
    if (character === ')') depth--;
    type += character;
  }
  return list === '' ? types : [...types, type];
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
