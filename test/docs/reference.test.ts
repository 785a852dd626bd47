import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, expectTypeOf, it } from 'vitest';
import type { ErrorKind } from '../../src/api/error-kind.ts';
import type { ErrorName } from '../../src/errors.ts';
import type { DevnetOptions, GivenOptions } from '../../src/options/table.ts';
import { ALIASES } from '../../src/rpc/aliases.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { errorReference } from './error-reference.ts';
import { errorTypes } from './error-types.ts';
import { methodPages } from './method-reference.ts';
import { withMigrationTables } from './migration-tables.ts';
import { openRpc } from './open-rpc.ts';
import { optionReference } from './option-reference.ts';
import { optionTypes } from './option-types.ts';
import { requestTypes } from './request-types.ts';

/** File -> its text, from the text that it has. */
const PAGES: readonly (readonly [name: string, write: (before: string) => string])[] = [
  ...[...methodPages()].map(([name, text]) => [`docs/${name}`, () => text] as const),
  ['docs/options.md', optionReference],
  ['docs/errors.md', errorReference],
  ['docs/compare.md', withCountOfMethods],
  ['docs/migrating.md', withMigrationTables],
  ['src/api/error-kind.ts', errorTypes],
  ['src/api/rpc-methods.ts', requestTypes],
  ['src/rpc/openrpc.json', openRpc],
  ['src/options/devnet-options.ts', optionTypes],
];

it.each(PAGES)('%s is what the definitions say; `npm run docs` writes it', (name, write) => {
  const page = new URL(`../../${name}`, import.meta.url);
  const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
  if (process.env.UPDATE_DOCS) writeFileSync(page, write(before));
  else expect(before).toBe(write(before));
});

it('the types that are written are those of the tables', () => {
  expectTypeOf<ErrorKind>().toEqualTypeOf<ErrorName>();
  expectTypeOf<Required<DevnetOptions>>().toEqualTypeOf<Required<GivenOptions>>();
});

/** The page with the number of devnet's methods as it is now. */
function withCountOfMethods(page: string): string {
  const row = /(?<=^\| methods by name \| )\d+/m;
  expect(page).toMatch(row);
  return page.replace(row, `${METHODS.length + Object.keys(ALIASES).length}`);
}
