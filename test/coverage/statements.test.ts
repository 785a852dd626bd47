import { expect, it } from 'vitest';
import { partsOf } from '../../src/coverage/statements.ts';
import { readSolidity } from '../../src/sources/solidity-text.ts';
import { SourceFile } from '../../src/sources/source-file.ts';

function partsIn(text: string) {
  const file = new SourceFile(
    'a.sol',
    () => text,
    (it) => readSolidity([it]),
  );
  const parts = partsOf(file);
  const shown = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  return {
    statements: parts.statements.map(shown),
    functions: parts.functions.map(({ name, kind }) => name || kind),
    branches: parts.branches.map(({ kind, paths, statement }) => ({
      kind,
      decides: shown(parts.statements[statement]!),
      paths: paths.map(({ statements }) => statements.map((i) => shown(parts.statements[i]!))),
    })),
  };
}

const inFunction = (body: string) => partsIn(`contract C { function f(uint x) public { ${body} } }`);

it.each([
  ['a; b = 1;', ['a', 'b = 1']],
  ['uint y = f({a: 1, b: 2}); return y;', ['uint y = f({a: 1, b: 2})', 'return y']],
  ['for (uint i; i < 2; i++) g(i);', ['uint i', 'i < 2', 'i++', 'g(i)']],
  ['for (;;) { break; }', ['break']],
  ['while (x > 0) { x--; continue; }', ['while (x > 0)', 'x--', 'continue']],
  ['do { x++; } while (x < 3); y();', ['x++', 'while (x < 3)', 'y()']],
  ['unchecked { x++; } { x--; }', ['x++', 'x--']],
  ['emit E(1); revert Bad({x: 1}); delete x;', ['emit E(1)', 'revert Bad({x: 1})', 'delete x']],
  ['(bool ok, ) = to.call{value: 1}(""); _;', ['(bool ok, ) = to.call{value: 1}("")']],
  ['string memory s = "a; } b"; /* x; */ // y;\n', ['string memory s = "a; } b"']],
])('the statements of %s', (body, statements) => {
  expect(inFunction(body).statements).toEqual(statements);
});

it('statements of inline assembly have no semicolons', () => {
  const { statements, branches } = inFunction(`assembly ("memory-safe") {
    let a, b := g(x.slot, hex"00")
    if gt(a, 5) { a := 5 }
    switch a case 1 { b := 10 } case "z" { leave } default { b := 9 }
    for { let i := 0 } lt(i, 2) { i := add(i, 1) } { pop(i) }
    function g(p, q) -> r, s { r := p }
  }`);
  expect(statements).toEqual([
    'let a, b := g(x.slot, hex"00")',
    'if gt(a, 5)',
    'a := 5',
    ...['b := 10', 'leave', 'b := 9'],
    ...['let i := 0', 'lt(i, 2)', 'i := add(i, 1)', 'pop(i)'],
    'r := p',
  ]);
  expect(branches).toEqual([{ kind: 'if', decides: 'if gt(a, 5)', paths: [['a := 5']] }]);
});

it('branches are if, require and try, each with its ways on', () => {
  const { branches } = inFunction(`
    if (x > 1) a(); else if (x > 0) { b(); } else {}
    require(x > 2, "small");
    try o.m{value: 1}(x) returns (uint r) { c(r); } catch Error(string memory) {} catch { d(); }`);
  expect(branches).toEqual([
    { kind: 'if', decides: 'if (x > 0)', paths: [['b()'], []] },
    { kind: 'if', decides: 'if (x > 1)', paths: [['a()'], ['if (x > 0)', 'b()']] },
    { kind: 'require', decides: 'require(x > 2, "small")', paths: [[], []] },
    { kind: 'try', decides: 'try o.m{value: 1}(x)', paths: [['c(r)'], [], ['d()']] },
  ]);
});

it('functions count that have a body; unnamed ones only where there is something in it', () => {
  const { functions } = partsIn(`
    interface I { function m() external; }
    function free() pure {}
    contract C {
      uint public n;
      constructor() {}
      modifier only() { _; }
      function a() public {}
      receive() external payable {}
      fallback() external { n = 1; }
    }`);
  expect(functions).toEqual(['free', 'only', 'a', 'fallback']);
});

it.each([
  'contract C { function f() public { if (',
  'contract C { function f() { try',
  '}{',
  'contract C { function f() { assembly { let',
  `contract C { function f() { for (${'('.repeat(2000)}`,
])('text that no compiler takes ends: %s', (text) => {
  expect(partsIn(text).statements.length).toBeLessThan(10);
});
