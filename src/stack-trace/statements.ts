import type { SourceFunction, SourceRange } from '../sources/source-file.ts';

/** A statement that reverts. */
export interface Statement extends SourceRange {
  readonly fn: SourceFunction;
}

/** Places that say the same: no real contract has more. */
const MOST_PLACES = 100;

/**
 * Finds the statement that reverted by what it says: its reason, or its custom error.
 * @param functions those that may have run
 * @param said as it is written: a string with its quotes, or the name of an error
 * @param near where the code ended, as far as that is known: of several statements the one around it is meant
 * @returns `undefined` where several statements say it, or none
 */
export function statementSaying(
  functions: Iterable<SourceFunction>,
  said: RegExp,
  near: SourceRange | undefined,
): Statement | undefined {
  const found: Statement[] = [];
  let places = 0;
  for (const fn of functions) {
    const text = fn.file.bytesBetween(fn.start, fn.end);
    for (const { 0: match, index } of text.matchAll(said)) {
      if (++places > MOST_PLACES) return undefined;
      const from = Math.max(text.lastIndexOf('require', index), text.lastIndexOf('revert', index));
      if (from < 0) continue;
      found.push({ fn, file: fn.file, start: fn.start + from, end: fn.start + index + match.length });
    }
  }
  const around = found.filter(
    ({ file, start, end }) => near?.file === file && start <= near.start && near.start < end,
  );
  return found.length === 1 ? found[0] : around.length === 1 ? around[0] : undefined;
}

/** Whether the text of a range has this. */
export function says({ file, start, end }: SourceRange, said: RegExp): boolean {
  return file.bytesBetween(start, end).search(said) >= 0;
}

/** Whether a text is a statement that reverts with a reason. */
export function saysReason(text: string): boolean {
  return /^(?:require|revert)\b[^;]*["']\s*\)$/.test(text);
}

/** @param reason of a revert @returns `undefined` for what is written with escapes, or not at all */
export function writtenReason(reason: string): RegExp | undefined {
  if (reason === '' || /["'\\\p{Cc}]/u.test(reason)) return undefined;
  return new RegExp(`(["'])${escaped(Buffer.from(reason, 'utf8').toString('latin1'))}\\1`, 'g');
}

export function writtenError(name: string): RegExp {
  return new RegExp(`\\b${escaped(name)}\\s*[({]`, 'g');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
