import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorReference } from './error-reference.ts';
import { methodReference } from './method-reference.ts';
import { optionReference } from './option-reference.ts';

it.each([
  ['methods.md', methodReference],
  ['options.md', optionReference],
  ['errors.md', errorReference],
])('docs/%s is what the definitions say; `npm run docs` writes it', (name, write) => {
  const page = new URL(`../../docs/${name}`, import.meta.url);
  if (process.env.UPDATE_DOCS) writeFileSync(page, write());
  else expect(readFileSync(page, 'utf8')).toBe(write());
});
