import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileScript } from '../../src/cli/compiled-script.ts';

let dir: string;
let script: string;
let cache: string;
const cacheOf = (path: string) => `${path}.test.${process.version}-${process.arch}.cache`;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-compiled-'));
  script = join(dir, 'script.js');
  cache = cacheOf(script);
  writeFileSync(script, '(function (x) { const twice = (n) => n + n; return twice(x); })');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the script as a process does that starts now. */
function start(): { fromCache: boolean; result: number } {
  const { fromCache, run, keep } = compileScript(script, 'test');
  const result = (run() as (x: number) => number)(21);
  keep();
  return { fromCache, result };
}

const expectCompiledAnew = () => {
  expect(start()).toEqual({ fromCache: false, result: 42 });
  expect(start()).toEqual({ fromCache: true, result: 42 });
};

it('the second start uses the code that the first one kept', () => {
  expectCompiledAnew();
  expect(readdirSync(dir).sort()).toEqual([
    'script.js',
    `script.js.test.${process.version}-${process.arch}.cache`,
  ]);
});

it.each([
  ['a flipped bit', (content: Buffer) => content.with(content.length - 20, content.at(-20)! ^ 1)],
  ['a missing end', (content: Buffer) => content.subarray(0, content.length - 100)],
  ['nothing in it', () => Buffer.alloc(0)],
])('a cache file with %s is not used, and replaced', (_, damage) => {
  start();
  writeFileSync(cache, damage(readFileSync(cache)));
  expectCompiledAnew();
});

it('code of another version of V8 is not used, and replaced', () => {
  start();
  const kept = readFileSync(cache).subarray(32);
  // Under its old name this process has the script compiled already, and V8 doesn't look at the code that it is given.
  script = join(dir, 'other.js');
  writeFileSync(script, readFileSync(join(dir, 'script.js')));
  cache = cacheOf(script);
  // The second word of the code is the hash of V8's version.
  kept.writeUInt32LE(kept.readUInt32LE(8 + 4) ^ 1, 8 + 4);
  writeFileSync(cache, Buffer.concat([createHash('sha256').update(kept).digest(), kept]));
  expectCompiledAnew();
});

it('the script runs where nothing can be kept, and leaves no file behind', () => {
  mkdirSync(join(cache, 'not-a-file'), { recursive: true });
  expect(start()).toEqual({ fromCache: false, result: 42 });
  expect(start()).toEqual({ fromCache: false, result: 42 });
  expect(readdirSync(dir)).toHaveLength(2);
});

describe('what is called after the start', () => {
  /** Functions with much bytecode, as many as given when it is run. */
  const MANY = `(function (count) {
    const functions = [${Array.from({ length: 200 }, (_, i) => `(x) => { ${'x = x + 1; '.repeat(100)} return x + ${i}; }`)}];
    return functions.slice(0, count).reduce((sum, each) => sum + each(0), 0);
  })`;

  /** Runs a process that starts now, and calls so many functions after its start. @returns by how many bytes the kept code grew */
  function run(later: number): number {
    const { run: compiled, keep, keepMore } = compileScript(script, 'test');
    const call = compiled() as (count: number) => number;
    call(1);
    keep();
    const { size } = statSync(cache);
    call(later);
    keepMore();
    const growth = statSync(cache).size - size;
    // Under its old name this process has the script compiled already, and all that was called.
    const other = join(dir, `other-${readdirSync(dir).length}.js`);
    writeFileSync(other, readFileSync(script));
    copyFileSync(cache, cacheOf(other));
    script = other;
    cache = cacheOf(other);
    return growth;
  }

  beforeEach(() => writeFileSync(script, MANY));

  it('is added at the end of the first four processes', () => {
    const growths = [40, 80, 120, 160, 200].map(run);
    for (const growth of growths.slice(0, 4)) expect(growth).toBeGreaterThan(5_000);
    expect(growths[4]).toBe(0);
  });

  it('stays when a later process calls less', () => {
    run(100);
    expect(run(1)).toBeGreaterThanOrEqual(0);
  });
});
