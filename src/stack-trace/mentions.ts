import type { SourceFunction } from '../sources/source-file.ts';

const WORDS = /[A-Za-z_$][\w$]*/g;

/**
 * Tells which functions may run within which others: those whose names their texts have. That holds for overridden functions, modifiers
 * and functions of libraries, too.
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
    // The constructors of its bases run within that of a contract.
    if (inner.kind === 'constructor') return outer.kind === 'constructor';
    return this.#wordsOf(outer).has(inner.name);
  }

  /** Whether a function names another one, or a function that does so, and so on. */
  reaches(outer: SourceFunction, inner: SourceFunction): boolean {
    return this.within(outer).has(inner);
  }

  /** A function with all that may run within it. */
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
      // Its own name comes first: the second is a call of itself, or of the function that it overrides.
      const own = all.indexOf(fn.name);
      words = new Set(all.filter((_, i) => i !== own));
      this.#words.set(fn, words);
    }
    return words;
  }
}
