import type { FunctionVariables } from './local-variables.ts';

/** What runs when control is in a range of the source. */
export type FunctionKind =
  | 'constructor'
  | 'function'
  | 'fallback'
  | 'receive'
  | 'getter'
  | 'modifier'
  | 'free function';

/** A part of a source file, in bytes of UTF-8, as solc counts. */
export interface SourceRange {
  readonly file: SourceFile;
  readonly start: number;
  /** behind its last byte */
  readonly end: number;
}

/** A function with a body, a modifier, or a public state variable. */
export interface SourceFunction extends SourceRange {
  readonly name: string;
  readonly kind: FunctionKind;
  /** the contract or library that holds it; `undefined` for free functions */
  readonly contract: SourceContract | undefined;
  /** whether it is called from outside by its selector */
  readonly isExternal: boolean;
  readonly isPayable: boolean;
  /** 8 hex digits, where the compiler or the text says it */
  readonly selector: string | undefined;
  /** types of its parameters, as the ABI writes them, as far as they are known */
  readonly parameters: readonly (string | undefined)[];
  /** names of its modifiers */
  readonly modifiers: readonly string[];
  /** where its variables lie on the stack; `undefined` where that isn't known */
  readonly variables?: FunctionVariables | undefined;
}

/** A parameter, a named result or a local variable of a function, as code that solc made without viaIR and optimizer keeps it. */
export interface LocalVariable {
  readonly name: string;
  readonly kind: 'parameter' | 'result' | 'local';
  /** as solc writes it: `uint256`, `string memory`, `struct Shop.Item storage pointer` */
  readonly type: string;
  /** how many words above the return address of the function's call it begins; `undefined` where that isn't known */
  readonly slot: number | undefined;
  /** the bytes of the source between which it has a value */
  readonly from: number;
  readonly to: number;
}

export interface SourceContract extends SourceRange {
  readonly name: string;
  readonly kind: 'contract' | 'library' | 'interface';
  readonly functions: SourceFunction[];
  /** itself first, then its bases, the nearest first */
  readonly linearized: readonly SourceContract[];
}

const NEW_LINE = 0x0a;
/** Bytes of a line that are shown. */
const MAX_OF_LINE = 1_024;

/** What a file defines. */
interface Definitions {
  readonly functions: SourceFunction[];
  readonly contracts: SourceContract[];
  readonly assembly: SourceRange[];
  imports: readonly string[] | undefined;
}

/** A file of Solidity with what it defines. */
export class SourceFile {
  /** as the user names it */
  readonly name: string;
  readonly #text: () => string;
  readonly #define: (file: SourceFile) => void;
  readonly #defined: Definitions = { functions: [], contracts: [], assembly: [], imports: undefined };
  #isRead = false;
  #utf8: Buffer | undefined;
  #lines: readonly number[] | undefined;

  /**
   * @param text is called when the text is first asked for
   * @param define is called when it is first asked for what the file defines, and writes that into the file
   */
  constructor(name: string, text: () => string, define: (file: SourceFile) => void) {
    this.name = name;
    this.#text = text;
    this.#define = define;
  }

  /** Finds what the file defines, where that wasn't done before. */
  read(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    this.#define(this);
  }

  get functions(): SourceFunction[] {
    this.read();
    return this.#defined.functions;
  }

  get contracts(): SourceContract[] {
    this.read();
    return this.#defined.contracts;
  }

  /** Blocks of inline assembly. */
  get assembly(): SourceRange[] {
    this.read();
    return this.#defined.assembly;
  }

  /** Keys of the sources that it imports; `undefined` where that isn't known. */
  get imports(): readonly string[] | undefined {
    this.read();
    return this.#defined.imports;
  }

  set imports(keys: readonly string[]) {
    this.#defined.imports = keys;
  }

  get #bytes(): Buffer {
    this.#utf8 ??= Buffer.from(this.#text(), 'utf8');
    return this.#utf8;
  }

  /** bytes */
  get length(): number {
    return this.#bytes.length;
  }

  /** @param start in bytes @returns line and column from 1; the column in characters */
  positionOf(start: number): { readonly line: number; readonly column: number } {
    const line = this.lineAt(start);
    const from = this.lineStart(line);
    const column = this.#bytes.toString('utf8', from, Math.max(start, from)).length + 1;
    return { line, column };
  }

  /** The line of a byte, from 1. */
  lineAt(start: number): number {
    const lines = this.#lineStarts;
    let low = 0;
    let high = lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (lines[middle]! <= start) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** The text, or its first bytes. */
  textUpTo(bytes: number): string {
    return this.#bytes.toString('utf8', 0, bytes);
  }

  /** Whether the text goes on with these ASCII characters. @param start in bytes */
  hasAt(start: number, text: string): boolean {
    return this.bytesBetween(start, start + text.length) === text;
  }

  /** A range, one character a byte. */
  bytesBetween(start: number, end: number): string {
    return this.#bytes.toString('latin1', start, end);
  }

  /** One character a byte. */
  get bytesAsText(): string {
    return this.#bytes.toString('latin1');
  }

  get lineCount(): number {
    return this.#lineStarts.length;
  }

  /** The first byte of a line. @param line from 1 */
  lineStart(line: number): number {
    return this.#lineStarts[line - 1] ?? this.#bytes.length;
  }

  /** The text of a line, without its end: of a long one its first 1,024 bytes. @param line from 1 */
  lineText(line: number): string {
    const lines = this.#lineStarts;
    const start = lines[line - 1];
    if (start === undefined) return '';
    const end = Math.min(lines[line] ?? this.#bytes.length, start + MAX_OF_LINE);
    return this.#bytes.toString('utf8', start, end).replace(/\r?\n$/, '');
  }

  /** The function, modifier or public variable whose range holds another range. */
  functionAround(start: number, end: number): SourceFunction | undefined {
    return this.functions.find((each) => each.start <= start && end <= each.end);
  }

  contractAround(start: number, end: number): SourceContract | undefined {
    return this.contracts.find((each) => each.start <= start && end <= each.end);
  }

  /** Whether a range lies in inline assembly. */
  isAssembly(start: number, end: number): boolean {
    return this.assembly.some((each) => each.start <= start && end <= each.end);
  }

  get #lineStarts(): readonly number[] {
    if (this.#lines) return this.#lines;
    const starts = [0];
    for (let at = this.#bytes.indexOf(NEW_LINE); at >= 0; at = this.#bytes.indexOf(NEW_LINE, at + 1))
      starts.push(at + 1);
    this.#lines = starts;
    return starts;
  }
}
