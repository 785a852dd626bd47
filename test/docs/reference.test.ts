import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALIASES } from '../../src/rpc/aliases.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { errorReference } from './error-reference.ts';
import { methodPages } from './method-reference.ts';
import { withMigrationTables } from './migration-tables.ts';
import { optionReference } from './option-reference.ts';

/** Page of docs -> its text, from the text that it has. */
const PAGES: readonly (readonly [name: string, write: (before: string) => string])[] = [
  ...[...methodPages()].map(([name, text]) => [name, () => text] as const),
  ['options.md', optionReference],
  ['errors.md', errorReference],
  ['compare.md', withCountOfMethods],
  ['migrating.md', withMigrationTables],
];

it.each(PAGES)('docs/%s is what the definitions say; `npm run docs` writes it', (name, write) => {
  const page = new URL(`../../docs/${name}`, import.meta.url);
  const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
  if (process.env.UPDATE_DOCS) writeFileSync(page, write(before));
  else expect(before).toBe(write(before));
});

/** The page with the number of devnet's methods as it is now. */
function withCountOfMethods(page: string): string {
  const row = /(?<=^\| methods by name \| )\d+/m;
  expect(page).toMatch(row);
  return page.replace(row, `${METHODS.length + Object.keys(ALIASES).length}`);
}
