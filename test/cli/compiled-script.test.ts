import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
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
  const code = readFileSync(cache).subarray(32);
  // Under its old name this process has the script compiled already, and V8 doesn't look at the code that it is given.
  script = join(dir, 'other.js');
  writeFileSync(script, readFileSync(join(dir, 'script.js')));
  cache = cacheOf(script);
  // The second word is the hash of V8's version.
  code.writeUInt32LE(code.readUInt32LE(4) ^ 1, 4);
  writeFileSync(cache, Buffer.concat([createHash('sha256').update(code).digest(), code]));
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

  /** Runs a process that starts now, and calls more functions after its start. @returns the size of what is kept */
  function run({ atStart, later }: { atStart: number; later: number }): number {
    const { run: compiled, keep, keepMore } = compileScript(script, 'test');
    const call = compiled() as (count: number) => number;
    call(atStart);
    keep();
    call(later);
    keepMore();
    return statSync(cache).size;
  }

  /** Under its old name this process has the script compiled already, and all that was called. */
  function rename(): void {
    const other = join(dir, `other-${readdirSync(dir).length}.js`);
    writeFileSync(other, readFileSync(script));
    if (existsSync(cache)) copyFileSync(cache, cacheOf(other));
    script = other;
    cache = cacheOf(other);
  }

  beforeEach(() => writeFileSync(script, MANY));

  it('is kept too, if it is much', () => {
    const size = run({ atStart: 1, later: 1 });
    rename();
    expect(run({ atStart: 1, later: 2 })).toBe(size);
    rename();
    expect(run({ atStart: 1, later: 200 })).toBeGreaterThan(2 * size);
  });

  it('is not replaced by less', () => {
    rename();
    const size = run({ atStart: 1, later: 200 });
    rename();
    expect(run({ atStart: 1, later: 150 })).toBe(size);
  });
});
