// The examples of docs/drop-in.md that have a file's name behind the language (```ts counter.test.ts): tests run them as they stand.
import { readFileSync } from 'node:fs';

/** Where the examples expect a node. */
export const ADDRESS = 'http://127.0.0.1:8545';

/**
 * An example by its file's name.
 * @param name as on the page
 * @param url what to ask instead of {@link ADDRESS}
 */
export function dropInExample(name, url = ADDRESS) {
  const page = readFileSync(new URL('../docs/drop-in.md', import.meta.url), 'utf8');
  for (const [, title, text] of page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms))
    if (title === name) return text.replaceAll(ADDRESS, url);
  throw new Error(`docs/drop-in.md has no example named ${name}`);
}
