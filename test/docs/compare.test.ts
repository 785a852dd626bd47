import { expect, it } from 'vitest';
import { ALIASES } from '../../src/rpc/aliases.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { PAGES } from './pages.ts';

const page = PAGES.get('docs/compare.md')!;

it('docs/compare.md has the figures of docs/benchmarks.md', () => {
  const rows = page
    .slice(page.indexOf('## Figures'))
    .split('\n')
    .filter((line) => /^\| .*\d/.test(line));
  expect(rows.length).toBeGreaterThan(8);
  const measured = new Set(PAGES.get('docs/benchmarks.md')!.split('\n'));
  expect(rows.filter((row) => !measured.has(row))).toEqual([]);
});

it("docs/compare.md counts devnet's methods", () => {
  const count = METHODS.length + Object.keys(ALIASES).length;
  expect(page).toContain(`| methods by name | ${count} |`);
});
