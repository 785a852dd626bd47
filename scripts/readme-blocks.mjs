// The examples of README.md that have a file's name behind the language (```ts counter.test.ts): tests run them as they stand.
import { readFileSync } from 'node:fs';

/** Where the examples expect a node. */
export const ADDRESS = 'http://127.0.0.1:8545';

/**
 * An example by its file's name.
 * @param name as in the README
 * @param url what to ask instead of {@link ADDRESS}
 */
export function readmeBlock(name, url = ADDRESS) {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  for (const [, title, text] of readme.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms))
    if (title === name) return text.replaceAll(ADDRESS, url);
  throw new Error(`README.md has no example named ${name}`);
}
