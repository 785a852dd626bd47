import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const TEXT = readFileSync(new URL('SECURITY.md', ROOT), 'utf8');
const ROWS = [...TEXT.matchAll(/^\| (?!attack \|)(.*?) \| (.*?) \| ?(.*?) ?\|$/gm)].map(
  ([, attack = '', holds = '', tests = '']) => ({ attack, holds, tests }),
);

describe('SECURITY', () => {
  it.each(ROWS)('names tests that exist, or says that nothing holds: $attack', ({ holds, tests }) => {
    const paths = [...tests.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, path]) => path!);
    expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
    if (paths.length === 0) expect(`${holds} ${tests}`).toMatch(/nothing/);
  });

  it('has the five attackers, with several attacks each', () => {
    expect(TEXT.match(/^## A /gm)).toHaveLength(5);
    expect(ROWS.length).toBeGreaterThan(25);
  });
});
