import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { PAGES } from './pages.ts';

/** As GitHub makes them of headings. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm)];
  return new Set(
    headings.map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

it.each([...PAGES])('%s links to pages and headings that there are', (page, markdown) => {
  const links = [...markdown.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = links.filter(([, path = '', anchor]) => {
    const target = path ? normalize(join(dirname(page), path)) : page;
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(PAGES.get(target) ?? '').has(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

it('docs/README.md links to every page of the book', () => {
  const book = PAGES.get('docs/README.md')!;
  const pages = [...PAGES.keys()].filter((page) => /^docs\/[^/]+$/.test(page) && page !== 'docs/README.md');
  expect(pages.filter((page) => !book.includes(`(${page.slice('docs/'.length)}`))).toEqual([]);
});
