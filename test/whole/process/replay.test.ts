import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { FileOutcome } from '../../../src/replay/replay-file.ts';
import { replayFiles } from '../../../src/replay/replay-files.ts';
import { useCommand } from './devnet-process.ts';

const folder = resolve(import.meta.dirname, '../../../fixtures/recordings');
const [automine, interval, manual, mixed] = ['automine', 'interval', 'manual', 'mixed'].map((name) =>
  join(folder, `${name}.jsonl`),
) as [string, string, string, string];
const command = useCommand();

async function replay(...args: string[]) {
  const run = promisify(execFile)(process.execPath, [command.path, 'replay', '--json', ...args]);
  const { stdout, code } = await run.then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  return {
    code,
    lines: stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

it('files in two threads come to what they come to one by one, in the order in which they were named', async () => {
  const files = [interval, manual, automine, mixed, manual, interval];
  const alone = await replay('--threads', '1', ...files);
  expect(alone.code).toBe(0);
  expect(await replay('--threads', '2', ...files)).toEqual(alone);
});

it('a file that fails in a thread fails alone', async () => {
  const damaged = join(command.dir, 'damaged.jsonl');
  writeFileSync(damaged, readFileSync(manual, 'utf8').replace('"evm_mine"', '"evm_mint"'));
  const { code, lines } = await replay(
    '--threads',
    '2',
    damaged,
    join(command.dir, 'none.json'),
    automine,
    mixed,
  );
  expect(code).toBe(1);
  expect(lines.map((line) => Object.values<{ pass: boolean }>(line)[0]!.pass)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

it('more than a pipe holds is printed to its end', async () => {
  const file = join(command.dir, 'long.json');
  writeFileSync(file, JSON.stringify({ ['x'.repeat(2 ** 19)]: { blocks: [] } }));
  const { code, lines } = await replay(file);
  expect(code).toBe(1);
  expect(lines.map((line) => Object.keys(line)[0]!.length)).toEqual([2 ** 19]);
});

it('a thread that dies takes the file with it that it ran, and no other', async () => {
  const script = join(command.dir, 'worker.mjs');
  writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ path }) => {
      if (path === 'exit') process.exit(3);
      if (path === 'throw') throw new Error('broken');
      parentPort.postMessage({ outcome: { path, pass: true, cases: {} } });
    });`,
  );
  const seen: FileOutcome[] = [];
  const paths = ['a', 'exit', 'b', 'throw', 'c', 'exit', 'throw', 'd'];
  const pass = await replayFiles(paths, {
    bail: false,
    update: false,
    threads: 2,
    worker: pathToFileURL(script),
    onFile: (outcome) => seen.push(outcome),
  });
  expect(pass).toBe(false);
  expect(seen.map(({ path }) => path)).toEqual(paths);
  expect(seen.filter((outcome) => outcome.pass).map(({ path }) => path)).toEqual(['a', 'b', 'c', 'd']);
  expect(seen[1]!.cases.exit!.error).toMatch('3');
  expect(seen[3]!.cases.throw!.error).toMatch('broken');
});
