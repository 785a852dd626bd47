import { expect, it } from 'vitest';
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
