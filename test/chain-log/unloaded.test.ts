import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf } from '../../scripts/imports.mjs';

const src = join(import.meta.dirname, '../../src');

/** What a file loads at its start: not what it imports later, with `import()`. */
function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  const text = readFileSync(file, 'utf8').replaceAll("import('", "later('");
  for (const target of importsOf(text)) {
    const path = target.startsWith('.') ? resolve(dirname(file), target) : target;
    if (loaded.has(path)) continue;
    loaded.add(path);
    if (path.endsWith('.ts')) loadedBy(path, loaded);
  }
  return loaded;
}

test('a node without --redis loads neither the client of Redis nor what shares a chain', () => {
  for (const start of ['index.ts', 'cli/command.ts']) {
    const loaded = [...loadedBy(join(src, start))];
    expect(loaded.length).toBeGreaterThan(10);
    expect(loaded.filter((path) => /@redis|bullmq|chain-log|replay-queue/.test(path))).toEqual([]);
  }
  expect([...loadedBy(join(src, 'chain-log/log-member.ts'))]).toContain(join(src, 'redis/connect.ts'));
});
