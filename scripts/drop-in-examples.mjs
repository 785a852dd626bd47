// The examples in README.md and docs/ that have a file's name behind the language (```ts counter.test.ts): tests run them as they stand.
import { readdirSync, readFileSync } from 'node:fs';

/** The URL at which the examples expect a node. */
export const ADDRESS = 'http://127.0.0.1:8545';

const ROOT = new URL('../', import.meta.url);
const PAGES = ['README.md', ...readdirSync(new URL('docs/', ROOT)).map((entry) => `docs/${entry}`)];

/**
 * Returns an example by its file name.
 * @param name as on its page
 * @param url replaces {@link ADDRESS} in the example
 */
export function dropInExample(name, url = ADDRESS) {
  for (const path of PAGES.filter((entry) => entry.endsWith('.md'))) {
    const page = readFileSync(new URL(path, ROOT), 'utf8');
    for (const [, title, text] of page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms))
      if (title === name) return text.replaceAll(ADDRESS, url);
  }
  throw new Error(`no page has an example named ${name}`);
}
