// The examples of docs/drop-in.md and docs/test-runners.md that have a file's name behind the language (```ts counter.test.ts):
// tests run them as they stand.
import { readFileSync } from 'node:fs';

/** Where the examples expect a node. */
export const ADDRESS = 'http://127.0.0.1:8545';

const PAGES = ['drop-in.md', 'test-runners.md'];

/**
 * An example by its file's name.
 * @param name as on its page
 * @param url what to ask instead of {@link ADDRESS}
 */
export function dropInExample(name, url = ADDRESS) {
  for (const file of PAGES) {
    const page = readFileSync(new URL(`../docs/${file}`, import.meta.url), 'utf8');
    for (const [, title, text] of page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms))
      if (title === name) return text.replaceAll(ADDRESS, url);
  }
  throw new Error(`${PAGES.join(' and ')} have no example named ${name}`);
}
