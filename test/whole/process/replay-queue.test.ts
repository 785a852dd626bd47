import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { HAS_REDIS, useRedis } from '../../redis-server.ts';
import { type DevnetProcess, useCommand } from './devnet-process.ts';

const folder = resolve(import.meta.dirname, '../../../fixtures/recordings');
const command = useCommand();

async function replay(...args: string[]): Promise<{ stdout: string; stderr: string; code: number }> {
  const run = promisify(execFile)(process.execPath, [command.path, 'replay', ...args]);
  return await run.then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  );
}

describe.skipIf(!HAS_REDIS)('devnet replay --queue', () => {
  const redis = useRedis();

  async function worker(): Promise<DevnetProcess> {
    const started = command.run(['worker', '--redis', redis.url, '-j', '1']);
    await printed(started, 'works for');
    return started;
  }

  /** Resolves when a worker has printed a text, or `end` comes first. */
  async function printed(worker: DevnetProcess, text: string, end?: Promise<unknown>): Promise<void> {
    let ended = false;
    void end?.then(() => {
      ended = true;
    });
    while (!worker.stdout.includes(text) && !ended)
      await Promise.race([once(worker.child.stdout!, 'data'), ...(end ? [end] : [])]);
  }

  it('prints what a replay in one process prints, though workers are killed at work', async () => {
    const names = ['mixed', 'manual', 'interval', 'automine'];
    const files = [...names, ...names, ...names].map((name) => join(folder, `${name}.jsonl`));
    const local = await replay('--json', ...files);
    expect(local.code).toBe(0);
    const [first, second] = [await worker(), await worker()];
    const run = replay('--json', '--queue', redis.url, ...files);
    // One of them at the first job that any of them has done, the other one a job later.
    await Promise.race([printed(first, 'passed', run), printed(second, 'passed', run)]);
    await first.kill('SIGKILL');
    const last = await worker();
    await Promise.race([printed(second, 'passed', run), printed(last, 'passed', run)]);
    await second.kill('SIGKILL');
    expect(await run).toEqual(local);
    expect(await last.kill('SIGTERM')).toBe(0);
    expect(last.stderr).toBe('');
  });
});

it('a Redis that is not there, and options that do not go together, are one line and exit 1', async () => {
  const file = join(folder, 'manual.jsonl');
  const url = 'redis://me:secret@127.0.0.1:1';
  const nobody = { code: 1, stderr: 'error: no Redis at redis://127.0.0.1:1: ECONNREFUSED\n', stdout: '' };
  expect(await replay('--queue', url, file)).toMatchObject(nobody);
  const worker = command.run(['worker', '--redis', url]);
  expect(await worker.exited).toBe(1);
  expect(worker.stderr).toBe(nobody.stderr);
  expect(await replay('--queue', url, '--update', file)).toMatchObject({
    code: 1,
    stderr: "error: --queue: can't be used with --update\n",
  });
  expect(await replay('--shard', '3/2', file)).toMatchObject({
    code: 1,
    stderr: 'error: --shard: expected a part of a number of parts such as 1/4, got 3/2\n',
  });
});
