import { SECTIONS } from '../../src/options/table.ts';
import { HARDFORKS } from '../../src/protocol/hardfork.ts';
import { FILES, firstObject } from './option-reference.ts';
import { membersOf, ParsedSource, type SyntaxNode } from './parsed-source.ts';

/** Value types of src/options/value-types.ts -> what the API takes for them. */
const TYPES: Readonly<Record<string, string>> = {
  number: 'number',
  whole: 'number',
  integer: 'number | bigint',
  ether: 'number | bigint | string',
  seed: 'string | number',
  genesis: 'string | object',
  flag: 'boolean',
  text: 'string',
  texts: 'string | readonly string[]',
  size: 'number',
  rate: 'number | string',
  mnemonic: 'string',
  path: 'string',
  address: 'string',
  bytes: 'string',
  hash: 'string',
  list: 'readonly string[]',
  lines: 'readonly string[]',
  funds: 'readonly string[]',
};

/** The text of src/options/devnet-options.ts, from the table of options in src/options/table. */
export function optionTypes(): string {
  const sections = Object.entries(SECTIONS).map(([heading, options]) => {
    const source = new ParsedSource(`src/options/table/${FILES[heading]}.ts`);
    const { value } = source.exported(FILES[heading]!.toUpperCase());
    const rows = membersOf(firstObject(value));
    const lines = Object.entries(options).map(([name, { type }]) => {
      const row = rows.get(name)!;
      const comment = source.commentBefore(row.start).split('\n');
      const text =
        comment.length > 1
          ? `/**\n${comment.map((line) => `   * ${line}`).join('\n')}\n   */`
          : `/** ${comment[0]} */`;
      return `  ${text}\n  ${name}?: ${typeOf(row.value as SyntaxNode, type.expected)};`;
    });
    return `  // ${heading}\n${lines.join('\n')}`;
  });
  return `// npm run docs writes this file from the table in src/options/table

/** What \`createDevnet\` takes. All of it is optional; docs/options.md has the flags. */
export interface DevnetOptions {
${sections.join('\n\n')}
}
`;
}

function typeOf(row: SyntaxNode, expected: string): string {
  if ((row.callee as SyntaxNode).name === 'flagOption') return 'boolean';
  const { value } = membersOf((row.arguments as SyntaxNode[])[0]!).get('type')!;
  const { name } = ((value as SyntaxNode).callee ?? value) as SyntaxNode;
  const known = TYPES[name!];
  if (known) return known;
  if (name === 'hardfork') {
    const upgrades = expected.replace(/^one of /, '').split(', ');
    return [...new Set([...HARDFORKS, ...upgrades, 'latest'])].map((it) => `'${it}'`).join(' | ');
  }
  const values = expected.match(/[\w-]+/g)!.filter((word) => !['one', 'of', 'or'].includes(word));
  // Another name of a preset, which no error has to name.
  if (name === 'preset') values.push('base-denim');
  return values.map((it) => `'${it}'`).join(' | ');
}
