import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { SECTIONS } from '../../src/options/table.ts';

const README = new URL('../../README.md', import.meta.url);
const SECTION = /<!-- options -->\n[\s\S]*?<!-- \/options -->/;

/** The table of README.md, from the table of options. */
function table(): string {
  const rows = Object.entries(SECTIONS).flatMap(([heading, options]) => [
    `| **${heading}** | |`,
    ...Object.values(options).map(
      ({ flags, help }) => `| \`${flags.replaceAll('|', '\\|')}\` | ${help.replaceAll('|', '\\|')} |`,
    ),
  ]);
  return [
    '<!-- options -->',
    '| option | meaning (default) |',
    '|---|---|',
    ...rows,
    '<!-- /options -->',
  ].join('\n');
}

it('README lists every flag with its help; `npm run readme` writes the table', () => {
  const text = readFileSync(README, 'utf8');
  if (process.env.UPDATE_README)
    writeFileSync(
      README,
      text.replace(SECTION, () => table()),
    );
  else expect(text.match(SECTION)?.[0]).toBe(table());
});

it('README says of every dependency why it is there', () => {
  const text = readFileSync(README, 'utf8');
  const { dependencies, optionalDependencies, devDependencies } = packageJson;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  const known = (name: string) =>
    text.includes(name) || (name.startsWith('@types/') && text.includes('@types/*'));
  expect(names.filter((name) => !known(name))).toEqual([]);
});
