import { expect, it } from 'vitest';
import { readSolidity } from '../../src/sources/solidity-text.ts';
import { SourceFile } from '../../src/sources/source-file.ts';
import { Mentions } from '../../src/stack-trace/mentions.ts';
import {
  saysReason,
  statementSaying,
  writtenError,
  writtenReason,
} from '../../src/stack-trace/statements.ts';

function functionsOf(text: string) {
  const file = new SourceFile(
    'A.sol',
    () => text,
    (it) => readSolidity([it]),
  );
  return { file, named: Object.fromEntries(file.functions.map((fn) => [fn.name, fn])) };
}

const TEXT = `contract A {
  error Late(uint a);
  modifier open() { require(a != 1, "shut"); _; }
  function f() external open { g(1); }
  function g(uint n) internal { if (n > 1) revert Late(n); h(n); }
  function h(uint n) internal { require(n != 2, unicode"zu früh (2)"); require(n != 3, "twice"); require(n != 4, "twice"); }
  function other() external { revert Late(5); }
}
`;

it('what may run within a function are those that its text names, and those that these name', () => {
  const { file, named } = functionsOf(TEXT);
  const mentions = new Mentions(file.functions);
  expect(mentions.names(named.f!, named.open!)).toBe(true);
  expect(mentions.names(named.f!, named.h!)).toBe(false);
  expect(mentions.reaches(named.f!, named.h!)).toBe(true);
  expect(mentions.reaches(named.f!, named.other!)).toBe(false);
  // Its name stands in its own text, but it doesn't call itself.
  expect(mentions.names(named.g!, named.g!)).toBe(false);
});

it('the statement with a reason or custom error is found where one alone has it', () => {
  const { file, named } = functionsOf(TEXT);
  const within = new Mentions(file.functions).within(named.f!);
  const textOf = (said: RegExp | undefined, near?: { file: SourceFile; start: number; end: number }) => {
    const found = statementSaying(within, said!, near);
    return found && file.bytesBetween(found.start, found.end);
  };
  expect(textOf(writtenReason('shut'))).toBe('require(a != 1, "shut"');
  expect(textOf(writtenReason('zu früh (2)'))).toMatch(/^require\(n != 2, unicode"zu fr..h \(2\)"$/);
  expect(textOf(writtenError('Late'))).toBe('revert Late(');
  expect(textOf(writtenReason('twice'))).toBe(undefined);
  const start = TEXT.indexOf('n != 4') + 1;
  expect(textOf(writtenReason('twice'), { file, start, end: start + 6 })).toBe('require(n != 4, "twice"');
  expect(textOf(writtenReason('nowhere'))).toBe(undefined);
  expect(writtenReason('a "quote"')).toBe(undefined);
  expect(saysReason('require(a, "b")')).toBe(true);
  expect(saysReason('require(a["b"])')).toBe(false);
});

it('a function that says the same a hundred thousand times takes no time', () => {
  const { file } = functionsOf(`contract A { function f() external { ${'E(1);'.repeat(100_000)} } }`);
  // Time of the processor, of which a loaded machine needs no more.
  const started = process.cpuUsage();
  expect(statementSaying(file.functions, writtenError('E'), undefined)).toBe(undefined);
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
});
