import type { SourceFunction } from '../sources/source-file.ts';

const WORDS = /[A-Za-z_$][\w$]*/g;

/**
 * Finds which functions may run within which others: those whose names appear in the text. That includes overridden functions, modifiers
 * and functions of libraries.
 */
export class Mentions {
  readonly #byName = new Map<string, SourceFunction[]>();
  readonly #constructors: SourceFunction[] = [];
  readonly #words = new Map<SourceFunction, ReadonlySet<string>>();
  readonly #reached = new Map<SourceFunction, ReadonlySet<SourceFunction>>();

  constructor(functions: Iterable<SourceFunction>) {
    for (const each of functions) {
      const named = this.#byName.get(each.name);
      if (named) named.push(each);
      else this.#byName.set(each.name, [each]);
      if (each.kind === 'constructor') this.#constructors.push(each);
    }
  }

  /** Whether the text of a function names another one. */
  names(outer: SourceFunction, inner: SourceFunction): boolean {
    // Constructors of base contracts run within the contract's constructor.
    if (inner.kind === 'constructor') return outer.kind === 'constructor';
    return this.#wordsOf(outer).has(inner.name);
  }

  /** Whether a function mentions another one, directly or through other functions. */
  reaches(outer: SourceFunction, inner: SourceFunction): boolean {
    return this.within(outer).has(inner);
  }

  /** A function with all functions that may run within it. */
  within(outer: SourceFunction): ReadonlySet<SourceFunction> {
    let reached = this.#reached.get(outer);
    if (!reached) {
      const found = new Set([outer]);
      for (const fn of found) for (const each of this.#namedIn(fn)) found.add(each);
      reached = found;
      this.#reached.set(outer, reached);
    }
    return reached;
  }

  *#namedIn(fn: SourceFunction): Iterable<SourceFunction> {
    if (fn.kind === 'constructor') yield* this.#constructors;
    for (const word of this.#wordsOf(fn)) yield* this.#byName.get(word) ?? [];
  }

  #wordsOf(fn: SourceFunction): ReadonlySet<string> {
    let words = this.#words.get(fn);
    if (!words) {
      const all: readonly string[] = fn.file.bytesBetween(fn.start, fn.end).match(WORDS) ?? [];
      // The first occurrence of its own name is the declaration: another one is a recursive call, or one of the overridden function.
      const own = all.indexOf(fn.name);
      words = new Set(all.filter((_, i) => i !== own));
      this.#words.set(fn, words);
    }
    return words;
  }
}
