import type { FunctionVariables } from './local-variables.ts';
import type {
  FunctionKind,
  LocalVariable,
  SourceContract,
  SourceFile,
  SourceFunction,
} from './source-file.ts';

/** A word, a number, a text or one character of punctuation. */
export interface Token {
  readonly text: string;
  /** in bytes */
  readonly start: number;
  readonly end: number;
}

/** Comments, texts, words and single characters. */
const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|[\w$]+|[^\s\w$]/g;
const OPENING = new Set(['(', '{', '[']);
const CLOSING = new Set([')', '}', ']']);
/** What begins a member of a contract that nothing runs in. */
const OTHER = new Set(['event', 'error', 'struct', 'enum', 'using', 'type', 'pragma', 'import']);
/** Words of a function's or variable's head that are no modifier and no name. */
const KEYWORDS = new Set([
  ...['public', 'external', 'internal', 'private', 'view', 'pure', 'payable', 'nonpayable', 'constant'],
  ...['virtual', 'override', 'returns', 'immutable', 'transient', 'anonymous'],
]);
const NUMBERS: ReadonlyMap<string, string> = new Map([
  ['uint', 'uint256'],
  ['int', 'int256'],
  ['byte', 'bytes1'],
]);
const ELEMENTARY = /^(?:u?int\d*|bytes\d*|byte|address|bool|string|u?fixed[\dx]*)$/;

/**
 * Finds what files define by their text, where the compiler's syntax tree isn't at hand: contracts, functions, modifiers, public
 * variables and inline assembly. Files are Solidity that a compiler took; of anything else it finds less.
 */
export function readSolidity(files: readonly SourceFile[]): void {
  const read = new Map<ReadContract, readonly string[]>();
  for (const file of files)
    for (const [contract, bases] of new Reader(file).read()) read.set(contract, bases);
  const byName = new Map([...read.keys()].map((contract) => [contract.name, contract]));
  const known = new Map<SourceContract, readonly SourceContract[]>();
  for (const contract of read.keys())
    contract.linearized = linearized(contract, read, byName, known, new Set());
}

/** A contract whose bases are found when all files were read. */
type ReadContract = SourceContract & { linearized: readonly SourceContract[] };

/** Reads one file. */
class Reader {
  readonly #file: SourceFile;
  readonly #tokens: readonly Token[];
  /** of each opening bracket, the place of its closing one */
  readonly #closing: ReadonlyMap<number, number>;
  readonly #contracts: (readonly [ReadContract, readonly string[]])[] = [];

  constructor(file: SourceFile) {
    this.#file = file;
    this.#tokens = tokensOf(file);
    this.#closing = closings(this.#tokens);
  }

  /** @returns the contracts, with the names of those that they inherit from */
  read(): readonly (readonly [ReadContract, readonly string[]])[] {
    for (let at = 0; at < this.#tokens.length; ) at = this.#topLevel(at);
    this.#assembly();
    return this.#contracts;
  }

  /** @returns where the next definition may begin */
  #topLevel(at: number): number {
    const word = this.#text(at);
    const isAbstract = word === 'abstract' && this.#text(at + 1) === 'contract';
    if (isAbstract || word === 'contract' || word === 'library' || word === 'interface')
      return this.#contract(at, isAbstract ? at + 1 : at);
    if (word === 'function') return this.#function(at, undefined);
    return this.#endOf(at) + 1;
  }

  #contract(first: number, at: number): number {
    const open = this.#find(at, '{');
    const close = open === undefined ? undefined : this.#closing.get(open);
    if (open === undefined || close === undefined) return this.#tokens.length;
    const kind = this.#text(at) as string;
    const contract: ReadContract = {
      file: this.#file,
      start: this.#tokens[first]!.start,
      end: this.#tokens[close]!.end,
      name: this.#text(at + 1) ?? '',
      kind: kind === 'library' || kind === 'interface' ? kind : 'contract',
      functions: [],
      linearized: [],
    };
    contract.linearized = [contract];
    this.#file.contracts.push(contract);
    this.#contracts.push([contract, this.#bases(at + 2, open)]);
    for (let member = open + 1; member < close; ) member = this.#member(member, contract);
    return close + 1;
  }

  /** `is A, lib.B(1)`, nearest last */
  #bases(from: number, to: number): string[] {
    const bases: string[] = [];
    if (this.#text(from) !== 'is') return bases;
    let name: string | undefined;
    for (let at = from + 1; at < to; at++) {
      const text = this.#text(at)!;
      if (text === '(') at = this.#closing.get(at) ?? to;
      else if (text === ',') {
        if (name) bases.push(name);
        name = undefined;
      } else if (/^[\w$]+$/.test(text)) name = text;
    }
    return name ? [...bases, name] : bases;
  }

  #member(at: number, contract: SourceContract): number {
    const word = this.#text(at)!;
    if (['function', 'constructor', 'fallback', 'receive', 'modifier'].includes(word))
      return this.#function(at, contract);
    if (OTHER.has(word)) return this.#endOf(at) + 1;
    return this.#variable(at, contract);
  }

  /** @param at at `function` or one of the other words that begin one */
  #function(at: number, contract: SourceContract | undefined): number {
    const end = this.#bodyEnd(at);
    const word = this.#text(at)!;
    const hasName = (word === 'function' || word === 'modifier') && this.#text(at + 1) !== '(';
    // A variable of a function type.
    if (word === 'function' && !hasName && this.#text(end) === ';')
      return contract ? this.#variable(at, contract) : end + 1;
    if (this.#text(end) === '}') {
      const open = this.#find(at, '(');
      const head = this.#head(at, end);
      const name = hasName ? this.#text(at + 1)! : '';
      const kind = kindOf(word, name, contract);
      const parameters = open === undefined ? [] : this.#parameters(open);
      this.#add(contract, {
        kind,
        name,
        start: this.#tokens[at]!.start,
        end: this.#tokens[end]!.end,
        isExternal: kind === 'function' && (head.includes('public') || head.includes('external')),
        isPayable: head.includes('payable'),
        parameters: parameters.map(typeOf),
        variables: parameterVariables(parameters),
        modifiers: head.filter((each) => !KEYWORDS.has(each) && each !== name && each !== word),
      });
    }
    return end + 1;
  }

  /** A variable of a contract, or something else that ends in a semicolon. */
  #variable(at: number, contract: SourceContract): number {
    const end = this.#endOf(at);
    const words: string[] = [];
    for (let each = at; each < end; each++) {
      const text = this.#text(each)!;
      if (text === '=') break;
      if (OPENING.has(text)) each = this.#closing.get(each) ?? end;
      else words.push(text);
    }
    const name = words.findLast((word) => /^[\w$]+$/.test(word) && !KEYWORDS.has(word));
    if (words.includes('public') && name !== undefined && this.#text(end) === ';')
      this.#add(contract, {
        kind: 'getter',
        name,
        start: this.#tokens[at]!.start,
        end: this.#tokens[end - 1]!.end,
        isExternal: true,
        isPayable: false,
        parameters: [],
        modifiers: [],
      });
    return end + 1;
  }

  #add(
    contract: SourceContract | undefined,
    found: Omit<SourceFunction, 'file' | 'contract' | 'selector'>,
  ): void {
    const added: SourceFunction = { ...found, file: this.#file, contract, selector: undefined };
    contract?.functions.push(added);
    this.#file.functions.push(added);
  }

  /** The words between a function's name and its body, those in brackets aside. */
  #head(at: number, end: number): string[] {
    const words: string[] = [];
    for (let each = at; each < end; each++) {
      const text = this.#text(each)!;
      if (text === '{') break;
      if (OPENING.has(text)) each = this.#closing.get(each) ?? end;
      else if (/^[\w$]+$/.test(text)) words.push(text);
    }
    return words;
  }

  /** The words of each parameter. */
  #parameters(open: number): (readonly string[])[] {
    const close = this.#closing.get(open) ?? open;
    const parameters: string[][] = [];
    let words: string[] = [];
    const end = () => {
      if (words.length > 0) parameters.push(words);
      words = [];
    };
    for (let at = open + 1; at < close; at++) {
      const text = this.#text(at)!;
      if (text === ',') end();
      else if (text === '[') {
        const to = this.#closing.get(at) ?? close;
        words.push(
          this.#tokens
            .slice(at, to + 1)
            .map((each) => each.text)
            .join(''),
        );
        at = to;
      } else if (OPENING.has(text)) {
        words.push('(');
        at = this.#closing.get(at) ?? close;
      } else words.push(text);
    }
    end();
    return parameters;
  }

  #assembly(): void {
    let open: number | undefined;
    for (let at = this.#tokens.length - 1; at >= 0; at--) {
      const { text, start } = this.#tokens[at]!;
      if (text === '{') open = at;
      const close = text === 'assembly' && open !== undefined ? this.#closing.get(open) : undefined;
      if (close !== undefined)
        this.#file.assembly.push({ file: this.#file, start, end: this.#tokens[close]!.end });
    }
  }

  /** The end of a definition with a body: its closing bracket, or the semicolon of one that has none. */
  #bodyEnd(at: number): number {
    for (let each = at; each < this.#tokens.length; each++) {
      const text = this.#text(each)!;
      if (text === ';') return each;
      if (text === '{') return this.#closing.get(each) ?? this.#tokens.length - 1;
      if (OPENING.has(text)) each = this.#closing.get(each) ?? this.#tokens.length;
    }
    return this.#tokens.length - 1;
  }

  /** The end of a definition: a semicolon, or the closing bracket of what needs none behind it. */
  #endOf(at: number): number {
    const endsInBracket = ['struct', 'enum'].includes(this.#text(at)!);
    for (let each = at; each < this.#tokens.length; each++) {
      const text = this.#text(each)!;
      if (text === ';') return each;
      if (!OPENING.has(text)) continue;
      each = this.#closing.get(each) ?? this.#tokens.length;
      if (text === '{' && endsInBracket) return each;
    }
    return this.#tokens.length - 1;
  }

  #find(from: number, text: string): number | undefined {
    for (let at = from; at < this.#tokens.length; at++) if (this.#text(at) === text) return at;
    return undefined;
  }

  #text(at: number): string | undefined {
    return this.#tokens[at]?.text;
  }
}

/** The tokens of a file, without its comments. */
export function tokensOf(file: SourceFile): readonly Token[] {
  // One character a byte: places are counted in bytes.
  return Array.from(file.bytesAsText.matchAll(TOKENS), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  })).filter(({ text }) => !text.startsWith('//') && !text.startsWith('/*'));
}

/** Of each opening bracket, by its place among the tokens, the place of its closing one. */
export function closings(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { text }] of tokens.entries()) {
    if (OPENING.has(text)) open.push(at);
    else if (CLOSING.has(text)) {
      const from = open.pop();
      if (from !== undefined) closing.set(from, at);
    }
  }
  return closing;
}

function kindOf(word: string, name: string, contract: SourceContract | undefined): FunctionKind {
  if (word === 'constructor' || word === 'fallback' || word === 'receive' || word === 'modifier') return word;
  if (!contract) return 'free function';
  // solc before 0.6.0
  return name === '' ? 'fallback' : 'function';
}

/** @param words of a parameter: its type, perhaps where it lies, perhaps its name */
/** The ABI's type of a parameter, as far as its words tell it. */
function typeOf([first = '', ...others]: readonly string[]): string | undefined {
  if (!ELEMENTARY.test(first)) return undefined;
  const dimensions = others.filter((word) => word.startsWith('[')).join('');
  return `${NUMBERS.get(first) ?? first}${dimensions}`;
}

/** Words that may stand behind a parameter's type. */
const BEHIND_TYPE = new Set([
  'memory',
  'calldata',
  'storage',
  'payable',
  'external',
  'internal',
  'view',
  'pure',
]);

/** Parameters with their places on the stack. What a word means of a type that the project defines isn't known. */
function parameterVariables(parameters: readonly (readonly string[])[]): FunctionVariables {
  let slot = 0;
  const variables = parameters.flatMap((words): LocalVariable[] => {
    const place = slot;
    const abiType = typeOf(words);
    const location = words.find((word) => word === 'memory' || word === 'calldata' || word === 'storage');
    const isSlice = /^(?:bytes|string|.*\[\])$/.test(abiType ?? (words.includes('[]') ? '[]' : ''));
    const isPair = words[0] === 'function' ? words.includes('external') : location === 'calldata' && isSlice;
    slot += isPair ? 2 : 1;
    const name = words.at(-1)!;
    if (words.length < 2 || !/^[\w$]+$/.test(name) || BEHIND_TYPE.has(name) || words.at(-2) === '.')
      return [];
    const type = `${abiType ?? ''}${location ? ` ${location === 'storage' ? 'storage pointer' : location}` : ''}`;
    const isKnown = location === 'storage' || abiType !== undefined;
    return [
      {
        name,
        kind: 'parameter',
        type,
        slot: isKnown ? place : undefined,
        from: 0,
        to: Number.MAX_SAFE_INTEGER,
      },
    ];
  });
  return { variables, parameterWords: slot };
}

/** Bases of a contract, and how far the last of them is away: more than any real contract has. */
const MAX_BASES = 256;

/** C3 linearization, as Solidity does it: the contract itself, then its bases, the nearest first. */
function linearized(
  contract: SourceContract,
  bases: ReadonlyMap<SourceContract, readonly string[]>,
  byName: ReadonlyMap<string, SourceContract>,
  known: Map<SourceContract, readonly SourceContract[]>,
  above: ReadonlySet<SourceContract>,
): readonly SourceContract[] {
  const before = known.get(contract);
  if (before) return before;
  // Texts that don't compile may inherit from themselves.
  if (above.has(contract) || above.size > MAX_BASES) return [contract];
  const parents = (bases.get(contract) ?? []).flatMap((name) => byName.get(name) ?? []).reverse();
  const within = new Set([...above, contract]);
  const lists = [...parents.map((parent) => linearized(parent, bases, byName, known, within)), parents];
  /** in how many lists a contract is behind the first one */
  const behind = new Map<SourceContract, number>();
  for (const list of lists) for (const each of list.slice(1)) behind.set(each, (behind.get(each) ?? 0) + 1);
  const order = new Set([contract]);
  // The first one of each is its last element.
  const open = lists.map((list) => list.toReversed());
  for (;;) {
    const firsts = open.flatMap((list) => list.at(-1) ?? []);
    if (firsts.length === 0 || order.size > MAX_BASES) break;
    order.add(firsts.find((each) => !behind.get(each)) ?? firsts[0]!);
    for (const list of open)
      while (list.length > 0 && order.has(list.at(-1)!)) {
        list.pop();
        const first = list.at(-1);
        if (first) behind.set(first, (behind.get(first) ?? 0) - 1);
      }
  }
  const ordered = [...order];
  known.set(contract, ordered);
  return ordered;
}
