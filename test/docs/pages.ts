import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);

/** README.md and the pages of docs, those of its folders too: path from the project's folder -> text */
export const PAGES: ReadonlyMap<string, string> = new Map(
  [
    'README.md',
    ...readdirSync(new URL('docs', ROOT), { recursive: true, encoding: 'utf8' }).map(
      (name) => `docs/${name}`,
    ),
  ]
    .filter((path) => path.endsWith('.md'))
    .map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')]),
);

/** A code block of a page. */
export interface CodeBlock {
  readonly page: string;
  /** '' where none is told */
  readonly language: string;
  /** the file's name behind the language; '' where there is none */
  readonly name: string;
  readonly text: string;
}

export const CODE_BLOCKS: readonly CodeBlock[] = [...PAGES].flatMap(([page, markdown]) =>
  [...markdown.matchAll(/^```(\w*) ?(\S*)\n(.*?)^```$/gms)].map(
    ([, language = '', name = '', text = '']) => ({
      page,
      language,
      name,
      text,
    }),
  ),
);

/** What the pages of docs/methods say of a method. */
export function methodEntry(name: string): string {
  const page = PAGES.get(`docs/methods/${name.split('_')[0]}.md`)!;
  return page.split(`\n## ${name}\n`)[1]!.split('\n## ')[0]!;
}
