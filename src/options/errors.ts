import { inspect } from 'node:util';

/** An option that can't be used. `option` is its name in `DevnetOptions`. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  readonly option: string;
  /** what the option accepts, or why its value is rejected */
  readonly expected: string;
  readonly got: unknown;

  constructor(option: string, expected: string, got: unknown) {
    super(`option ${option}: expected ${expected}, got ${show(got)}`);
    this.option = option;
    this.expected = expected;
    this.got = got;
  }
}

/** Two options that exclude each other, or one that needs the other. */
export class OptionConflict extends Error {
  override readonly name = 'OptionConflict';
  readonly options: readonly [string, string];
  readonly relation: string;

  constructor(options: readonly [string, string], relation: string) {
    super(`option ${options[0]} ${relation} option ${options[1]}`);
    this.options = options;
    this.relation = relation;
  }
}

export function conflict(first: string, second: string): never {
  throw new OptionConflict([first, second], 'excludes');
}

export function needs(first: string, second: string): never {
  throw new OptionConflict([first, second], 'needs');
}

/** Formats a rejected value as the user wrote it, at most one line. */
export function show(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  const text =
    typeof value === 'string' ? `'${value}'` : inspect(value, { breakLength: Number.POSITIVE_INFINITY });
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
