import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALIASES } from '../../src/rpc/aliases.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { errorReference } from './error-reference.ts';
import { methodReference } from './method-reference.ts';
import { optionReference } from './option-reference.ts';

it.each([
  ['methods.md', methodReference],
  ['options.md', optionReference],
  ['errors.md', errorReference],
  ['compare.md', withCountOfMethods],
])('docs/%s is what the definitions say; `npm run docs` writes it', (name, write) => {
  const page = new URL(`../../docs/${name}`, import.meta.url);
  const before = readFileSync(page, 'utf8');
  if (process.env.UPDATE_DOCS) writeFileSync(page, write(before));
  else expect(before).toBe(write(before));
});

/** The page with the number of devnet's methods as it is now. */
function withCountOfMethods(page: string): string {
  const row = /(?<=^\| methods by name \| )\d+/m;
  expect(page).toMatch(row);
  return page.replace(row, `${METHODS.length + Object.keys(ALIASES).length}`);
}
