import type { SourceFunction, SourceRange } from '../sources/source-file.ts';

/** A statement that reverts. */
export interface Statement extends SourceRange {
  readonly fn: SourceFunction;
}

/** Most matches that are looked at: real contracts have fewer. */
const MAX_PLACES = 100;

/**
 * Finds the statement that reverted by the text of its reason, the name of its custom error, or that of a function with a panic of its own.
 * @param functions that may have run
 * @param said matches the text in the source: a string with its quotes, or an error's name
 * @param near where the code ended, as far as it is known: of several statements the one around it, or within it, is returned
 * @returns `undefined` if no statement, or more than one, is found
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
      if (++places > MAX_PLACES) return undefined;
      const from = /^\W*(?:assert|pop)\b/.test(match)
        ? index
        : Math.max(text.lastIndexOf('require', index), text.lastIndexOf('revert', index));
      if (from < 0) continue;
      found.push({ fn, file: fn.file, start: fn.start + from, end: fn.start + index + match.length });
    }
  }
  const around = found.filter(
    ({ file, start, end }) => near?.file === file && start <= near.start && near.start < end,
  );
  const within = found.filter(
    ({ file, start, end }) => near?.file === file && near.start <= start && end <= near.end,
  );
  for (const list of [found, around, within]) if (list.length === 1) return list[0];
  return undefined;
}

/** Whether the text of a range matches. */
export function says({ file, start, end }: SourceRange, said: RegExp): boolean {
  return file.bytesBetween(start, end).search(said) >= 0;
}

/** Whether a text is a `require` or `revert` statement that ends with a string. */
export function saysReason(text: string): boolean {
  return /^(?:require|revert)\b[^;]*["']\s*\)$/.test(text);
}

/** @param reason of a revert @returns `undefined` for an empty reason, or one that needs escapes in the source */
export function writtenReason(reason: string): RegExp | undefined {
  if (reason === '' || /["'\\\p{Cc}]/u.test(reason)) return undefined;
  return new RegExp(`(["'])${escaped(Buffer.from(reason, 'utf8').toString('latin1'))}\\1`, 'g');
}

export function writtenError(name: string): RegExp {
  return new RegExp(`\\b${escaped(name)}\\s*[({]`, 'g');
}

/** What alone panics with a code. @returns `undefined` if much else does */
export function writtenCheck(panic: bigint): RegExp | undefined {
  if (panic === 0x01n) return /\bassert\s*\(/g;
  return panic === 0x31n ? /\.\s*pop\s*\(/g : undefined;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
