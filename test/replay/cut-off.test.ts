import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Io, main } from '../../src/cli/main.ts';
import { replayFixture } from '../../src/replay/replay-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'devnet-cut-off-'));
afterAll(() => rmSync(dir, { recursive: true }));

const whole = join(import.meta.dirname, '../../fixtures/recordings/automine.jsonl');
const path = join(dir, 'cut.jsonl');
const lines = readFileSync(whole, 'utf8').trimEnd().split('\n');
const stop = lines.findIndex((line) => line.startsWith('{"stop"'));

it('a recording that was cut between two lines is told from a whole one', async () => {
  expect(stop).toBeGreaterThan(10);
  for (const count of [2, Math.floor(stop / 2), stop]) {
    writeFileSync(path, `${lines.slice(0, count).join('\n')}\n`);
    const { pass, cases } = await replayFixture(path);
    expect(pass).toBe(true);
    expect(cases['cut.jsonl']).toMatchObject({ pass: true, stopped: false });
    const refused = await replayFixture(path, { whole: true });
    expect(refused.pass).toBe(false);
    expect(refused.cases['cut.jsonl']).toMatchObject({
      pass: false,
      stopped: false,
      error: 'the recording ends without a stop',
    });
  }
});

it('a recording that ends with its node is whole', async () => {
  const { pass, cases } = await replayFixture(whole, { whole: true });
  expect(pass).toBe(true);
  expect(cases['automine.jsonl']).not.toHaveProperty('stopped');
});

it('devnet replay says that a recording ends without a stop, and refuses it with --whole', async () => {
  writeFileSync(path, `${lines.slice(0, stop).join('\n')}\n`);
  const run = async (...flags: string[]) => {
    let stdout = '';
    const io: Io = {
      version: '1.2.3',
      stdout: {
        write: (text) => {
          stdout += text;
        },
      },
      stderr: { write: () => {} },
      env: {},
      signals: new EventEmitter(),
      exit: () => {},
      flush: async () => {},
      load: () => Promise.reject(new Error('not here')),
      loadFollow: () => Promise.reject(new Error('not here')),
    };
    const code = await main(['replay', ...flags, path], io);
    return { code, stdout };
  };
  const told = await run();
  expect(told.code).toBe(0);
  expect(told.stdout).toMatch(/cut\.jsonl: 1 of 1 passed, \d+ blocks, ends without a stop\n/);
  const refused = await run('--whole');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch('failed: cut.jsonl: the recording ends without a stop');
});
