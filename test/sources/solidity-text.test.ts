import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Named, readAst } from '../../src/sources/ast.ts';
import { readSolidity } from '../../src/sources/solidity-text.ts';
import { SourceFile } from '../../src/sources/source-file.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/stack-traces');
const scenarios = join(import.meta.dirname, '../stack-trace/scenarios');

/** Scenario -> the file with what solc made of it. */
const COMPILED = {
  shop: '807a97336cdc75ad9fa6466e8aef2545',
  doors: '109d973e05b7aa845ad8725d0eb19115',
} as const;

function shown(file: SourceFile) {
  return {
    contracts: file.contracts.map(({ name, kind, start, end, linearized }) => ({
      ...{ name, kind, start, end },
      linearized: linearized.map((each) => each.name),
    })),
    functions: file.functions
      .map(({ name, kind, start, end, isExternal, isPayable, modifiers, contract }) => ({
        ...{ name, kind, start, end, isExternal, isPayable, modifiers },
        contract: contract?.name,
      }))
      .sort((a, b) => a.start - b.start),
    assembly: file.assembly.map(({ start, end }) => ({ start, end })),
  };
}

it.each(Object.entries(COMPILED))(
  'what the text of "%s" defines is what the syntax tree of solc says',
  (name, compiled) => {
    const { sources } = JSON.parse(readFileSync(join(fixtures, `${compiled}.json`), 'utf8'));
    const texts = JSON.parse(readFileSync(join(scenarios, `${name}.json`), 'utf8')).sources;
    const paths = Object.keys(sources);
    const byText: readonly SourceFile[] = paths.map(
      (path) =>
        new SourceFile(
          path,
          () => texts[path],
          (file) => file === byText[0] && readSolidity(byText),
        ),
    );
    const byId = new Map<number, Named>();
    const byTree = paths.map(
      (path) =>
        new SourceFile(
          path,
          () => texts[path],
          (file) => readAst(file, sources[path].ast, byId),
        ),
    );
    for (const file of byTree) file.read();
    expect(byText.map(shown)).toEqual(byTree.map(shown));
  },
);

const read = (text: string) => {
  const file = new SourceFile(
    'A.sol',
    () => text,
    (it) => readSolidity([it]),
  );
  return file;
};

it('bases are in the order of C3, the nearest first', () => {
  const file = read('contract A {} contract B is A {} contract C is A {} contract D is B, C {}');
  expect(file.contracts.at(-1)!.linearized.map(({ name }) => name)).toEqual(['D', 'C', 'B', 'A']);
});

it('brackets and words in comments and texts are no code', () => {
  const file = read(`
    contract A { // } function no() {}
      /* { */ string public a = "}{ function b() {}"; string c = '\\'}';
      function yes(string memory s) external payable mod("}") { emit E("{"); }
    }
    function free(uint n) pure returns (uint) { return n; }`);
  expect(
    file.functions.map(({ kind, name, isPayable, modifiers }) => [kind, name, isPayable, modifiers]),
  ).toEqual([
    ['getter', 'a', false, []],
    ['function', 'yes', true, ['mod']],
    ['free function', 'free', false, []],
  ]);
});

it.each([
  '',
  'contract',
  'contract A {',
  '}}}}',
  'function',
  'contract A is A { } ',
  'contract A is B {} contract B is A {}',
  '"',
  '/*',
  'contract constructor { function () external {} }',
  '\u0000\uD800',
])('a text that is no Solidity is read without harm: %j', (text) => {
  expect(() => read(text)).not.toThrow();
});
