import { MAX_NESTED_BLOCKS } from '../sources/limits.ts';
import { closings, type Token, tokensOf } from '../sources/solidity-text.ts';
import type { SourceFile, SourceFunction } from '../sources/source-file.ts';

/** A range of a file, in bytes. */
export interface Range {
  readonly start: number;
  /** exclusive */
  readonly end: number;
}

/**
 * A statement of Solidity or of inline assembly, without nested statements: for `if`, `while` and `try` it is the part before the
 * body. The three parts of a `for` are statements of their own.
 */
export interface Statement extends Range {
  /** index of its function in {@link FileParts.functions} */
  readonly function: number;
  /** whether it is in a function of inline assembly, which may run more often than the function around it, or never */
  readonly isInner: boolean;
  /** how many loops repeat it */
  readonly loops: number;
}

/** One path of a branch. */
export interface BranchPath extends Range {
  /** indices in {@link FileParts.statements} of the path's statements, the first one to run first; empty for an empty path */
  readonly statements: readonly number[];
  /** how many loops repeat the branch */
  readonly loops: number;
  /** for `require`: whether the condition holds on this path; `undefined` for other branches */
  readonly holds?: boolean;
}

/** An `if` with its paths, a `require` with its two outcomes, or a `try` with its clauses. */
export interface Branch extends Range {
  readonly kind: 'if' | 'require' | 'try';
  /** index of the statement that decides */
  readonly statement: number;
  readonly paths: readonly BranchPath[];
}

/** The parts of a file that can be covered. */
export interface FileParts {
  readonly file: SourceFile;
  /** functions with a body, without getters of public variables */
  readonly functions: readonly SourceFunction[];
  readonly statements: readonly Statement[];
  readonly branches: readonly Branch[];
}

const OPENING = new Set(['(', '{', '[']);
/** Kinds of functions that are counted only if their body isn't empty. */
const UNNAMED = new Set<string>(['constructor', 'fallback', 'receive']);
/** Keywords that are followed by an expression in parentheses and a statement. */
const LOOPS = new Set(['while']);

/**
 * Finds the functions, statements and branches of a file in its text. The compiler has accepted the text, and Foundry doesn't keep
 * syntax trees. The same parts count as in `forge coverage`.
 */
export function partsOf(file: SourceFile): FileParts {
  return new Finder(file).find();
}

class Finder {
  readonly #file: SourceFile;
  readonly #tokens: readonly Token[];
  readonly #closing: ReadonlyMap<number, number>;
  readonly #functions: SourceFunction[] = [];
  readonly #statements: Statement[] = [];
  readonly #branches: Branch[] = [];
  #depth = 0;
  #isInner = false;
  #loops = 0;

  constructor(file: SourceFile) {
    this.#file = file;
    this.#tokens = tokensOf(file);
    this.#closing = closings(this.#tokens);
  }

  find(): FileParts {
    const functions = this.#file.functions
      .filter(({ kind }) => kind !== 'getter')
      .sort((a, b) => a.start - b.start);
    for (const each of functions) {
      const first = this.#tokenAt(each.start);
      const open = this.#bodyOf(first, each.end);
      // As in forge: whether an empty function ran can't be told, because it has no statement.
      const isEmpty = open !== undefined && this.#close(open) === open + 1;
      if (open === undefined || (isEmpty && UNNAMED.has(each.kind))) continue;
      this.#functions.push(each);
      this.#block(open);
    }
    return {
      file: this.#file,
      functions: this.#functions,
      statements: this.#statements,
      branches: this.#branches,
    };
  }

  /** The index of the first token that begins at or after a byte. */
  #tokenAt(start: number): number {
    let low = 0;
    let high = this.#tokens.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#tokens[middle]!.start < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #bodyOf(first: number, end: number): number | undefined {
    for (let at = first; at < this.#tokens.length && this.#tokens[at]!.start < end; at++) {
      const text = this.#text(at);
      if (text === '{') return at;
      if (OPENING.has(text)) at = this.#close(at);
    }
    return undefined;
  }

  /** @param open index of `{` @returns the index after the block */
  #block(open: number): number {
    const close = this.#close(open);
    for (let at = open + 1; at < close; ) at = Math.max(at + 1, this.#statement(at));
    return close + 1;
  }

  /** @param read reads a statement from its first token @returns the index after the statement */
  #nested(at: number, read: (at: number) => number): number {
    // Statements nested more deeply count as one.
    if (this.#depth >= MAX_NESTED_BLOCKS)
      return (this.#text(at) === '{' ? this.#close(at) : this.#semicolon(at)) + 1;
    this.#depth++;
    const behind = read(at);
    this.#depth--;
    return behind;
  }

  /** @returns the index after the statement */
  #statement(at: number): number {
    return this.#nested(at, (from) => this.#solidity(from));
  }

  #solidity(at: number): number {
    const word = this.#text(at);
    const next = this.#text(at + 1);
    if (word === '{') return this.#block(at);
    if (word === 'unchecked' && next === '{') return this.#block(at + 1);
    if (word === 'assembly') {
      const open = this.#find(at, '{');
      return open === undefined ? this.#tokens.length : this.#assembly(open);
    }
    if (word === 'if' && next === '(') return this.#if(at);
    if (word === 'for' && next === '(') return this.#for(at);
    if (LOOPS.has(word) && next === '(') {
      const close = this.#close(at + 1);
      return this.#repeated(() => {
        this.#add(at, close);
        return this.#statement(close + 1);
      });
    }
    if (word === 'do') return this.#do(at);
    if (word === 'try') return this.#try(at);
    const end = this.#semicolon(at);
    // `_` in a modifier stands for the body of the modified function.
    if (word === '_' && end === at + 1) return end + 1;
    if (end > at) {
      // The compiler's range of a `return` without a value includes the semicolon.
      const statement = this.#add(at, word === 'return' && end === at + 1 ? end : end - 1);
      if (word === 'require' && next === '(') this.#addRequire(statement);
    }
    return end + 1;
  }

  #if(at: number): number {
    const close = this.#close(at + 1);
    const statement = this.#add(at, close);
    const [then, behind] = this.#path(close + 1, (from) => this.#statement(from));
    const paths = [then];
    let end = behind;
    if (this.#text(behind) === 'else') {
      const [other, last] = this.#path(behind + 1, (from) => this.#statement(from));
      paths.push(other);
      end = last;
    }
    this.#addBranch('if', statement, paths, end);
    return end;
  }

  #for(at: number): number {
    const close = this.#close(at + 1);
    let first = at + 2;
    const loops = this.#loops;
    for (let each = first; each <= close; each++) {
      const text = this.#text(each);
      if (text === ';' || each === close) {
        if (each > first) this.#add(first, each - 1);
        first = each + 1;
        // The first part runs once.
        this.#loops = loops + 1;
      } else if (OPENING.has(text)) each = this.#close(each);
    }
    const behind = this.#statement(close + 1);
    this.#loops = loops;
    return behind;
  }

  /** @param read reads a part of a loop that is repeated */
  #repeated<T>(read: () => T): T {
    this.#loops++;
    const behind = read();
    this.#loops--;
    return behind;
  }

  #do(at: number): number {
    return this.#repeated(() => {
      const behind = this.#statement(at + 1);
      if (this.#text(behind) !== 'while') return behind;
      const close = this.#close(behind + 1);
      this.#add(behind, close);
      return close + 2;
    });
  }

  #try(at: number): number {
    let open = at + 1;
    let last = open;
    // A `{` before the call's arguments contains call options, such as `{value: 1}`.
    for (; open < this.#tokens.length; open++) {
      const text = this.#text(open);
      if (text === 'returns' || (text === '{' && this.#text(this.#close(open) + 1) !== '(')) break;
      if (OPENING.has(text)) open = this.#close(open);
      last = open;
    }
    const statement = this.#add(at, last);
    const body = this.#find(open, '{');
    if (body === undefined) return this.#tokens.length;
    const [done, behind] = this.#path(body, (from) => this.#block(from));
    const paths = [done];
    let end = behind;
    while (this.#text(end) === 'catch') {
      const clause = this.#find(end, '{');
      if (clause === undefined) break;
      const [path, next] = this.#path(clause, (from) => this.#block(from));
      paths.push({ ...path, start: this.#tokens[end]!.start });
      end = next;
    }
    this.#addBranch('try', statement, paths, end);
    return end;
  }

  /** @param open index of `{` @returns the index after the block */
  #assembly(open: number): number {
    const close = this.#close(open);
    for (let at = open + 1; at < close; ) at = Math.max(at + 1, this.#yul(at));
    return close + 1;
  }

  /** A statement of Yul, which has no semicolon at its end. @returns the index after the statement */
  #yul(at: number): number {
    return this.#nested(at, (from) => this.#yulStatement(from));
  }

  #yulStatement(at: number): number {
    const word = this.#text(at);
    if (word === '{') return this.#assembly(at);
    switch (word) {
      case 'if': {
        const behind = this.#yulExpression(at + 1);
        const statement = this.#add(at, behind - 1);
        const [then, end] = this.#path(behind, (from) => this.#assembly(from));
        this.#addBranch('if', statement, [then], end);
        return end;
      }
      case 'switch': {
        const behind = this.#yulExpression(at + 1);
        // As in forge, a value that isn't computed is no statement.
        if (this.#text(behind - 1) === ')') this.#add(at, behind - 1);
        return behind;
      }
      case 'case':
        return this.#yul(this.#yulExpression(at + 1));
      case 'default':
        return this.#yul(at + 1);
      case 'for': {
        const condition = this.#assembly(at + 1);
        return this.#repeated(() => {
          const step = this.#yulExpression(condition);
          if (step > condition) this.#add(condition, step - 1);
          return this.#yul(this.#assembly(step));
        });
      }
      case 'function': {
        const body = this.#find(at, '{');
        if (body === undefined) return this.#tokens.length;
        const isInner = this.#isInner;
        this.#isInner = true;
        const behind = this.#assembly(body);
        this.#isInner = isInner;
        return behind;
      }
    }
    // `let a, b := f(x)`, `a := b`, `let a`, `f(x)`, `break`
    let end = word === 'let' ? at + 1 : at;
    end = this.#yulExpression(end);
    while (this.#text(end) === ',') end = this.#yulExpression(end + 1);
    if (this.#text(end) === ':' && this.#text(end + 1) === '=') end = this.#yulExpression(end + 2);
    if (end > at) this.#add(at, end - 1);
    return end;
  }

  /** A literal, a name with its members, or a call. @returns the index after the expression */
  #yulExpression(at: number): number {
    let end = at + 1;
    while (this.#text(end) === '.') end += 2;
    // hex"00"
    if (/^["']/.test(this.#text(end)) && this.#text(at) === 'hex') end++;
    return this.#text(end) === '(' ? this.#close(end) + 1 : end;
  }

  /** @param read reads the path from its first token @returns the path, and the index after it */
  #path(at: number, read: (at: number) => number): [BranchPath, number] {
    const before = this.#statements.length;
    const behind = read(at);
    const statements = Array.from({ length: this.#statements.length - before }, (_, i) => before + i);
    return [{ ...this.#range(at, behind - 1), statements, loops: this.#loops }, behind];
  }

  #addRequire(statement: number): void {
    const { start, end } = this.#statements[statement]!;
    const paths = [true, false].map((holds) => ({
      ...{ start, end, statements: [], holds },
      loops: this.#loops,
    }));
    this.#branches.push({ kind: 'require', start, end, statement, paths });
  }

  #addBranch(kind: 'if' | 'try', statement: number, paths: readonly BranchPath[], behind: number): void {
    const { start } = this.#statements[statement]!;
    const { end } = this.#range(behind - 1, behind - 1);
    this.#branches.push({ kind, start, end, statement, paths });
  }

  /** @returns the statement's index */
  #add(first: number, last: number): number {
    const parent = {
      function: this.#functions.length - 1,
      isInner: this.#isInner,
      loops: this.#loops,
    };
    return this.#statements.push({ ...this.#range(first, last), ...parent }) - 1;
  }

  #range(first: number, last: number): Range {
    const start = this.#tokens[first]?.start ?? this.#file.length;
    return { start, end: Math.max(start, this.#tokens[last]?.end ?? this.#file.length) };
  }

  #semicolon(from: number): number {
    for (let at = from; at < this.#tokens.length; at++) {
      const text = this.#text(at);
      if (text === ';') return at;
      if (OPENING.has(text)) at = this.#close(at);
      // Can't happen in text that the compiler has accepted: a guard against reading past the block.
      if (text === '}') return at;
    }
    return this.#tokens.length;
  }

  #find(from: number, wanted: string): number | undefined {
    for (let at = from; at < this.#tokens.length; at++) {
      const text = this.#text(at);
      if (text === wanted) return at;
      if (OPENING.has(text)) at = this.#close(at);
    }
    return undefined;
  }

  #close(open: number): number {
    return this.#closing.get(open) ?? this.#tokens.length;
  }

  #text(at: number): string {
    return this.#tokens[at]?.text ?? '';
  }
}
