import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Io, main } from '../../src/cli/main.ts';
import { ENGINES } from '../../src/engine/engine-name.ts';
import { replayFixture } from '../../src/index.ts';
import { ConsensusBuilder, transfer } from './consensus/builder.ts';

const folder = join(import.meta.dirname, '../../fixtures/recordings');
const files = readdirSync(folder).map((name) => join(folder, name));
const zone = process.env.TZ;
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('the recordings of other processes', () => {
  it.each(files.flatMap((file) => [[file, 'UTC'] as const, [file, 'Pacific/Chatham'] as const]))(
    '%s replays to the same hashes in %s',
    async (file, timeZone) => {
      process.env.TZ = timeZone;
      const { pass, cases } = await replayFixture(file);
      expect(Object.values(cases)).toEqual([expect.objectContaining({ pass: true })]);
      expect(pass).toBe(true);
    },
  );
});

describe('devnet replay', () => {
  const run = (...args: string[]) => runOn(false, ...args);

  async function runOn(isTTY: boolean, ...args: string[]) {
    const seen = { stdout: '', stderr: '' };
    const into = (name: keyof typeof seen) => ({
      isTTY,
      write: (text: string) => {
        seen[name] += text;
      },
    });
    const flush = async () => {};
    const streams = { stdout: into('stdout'), stderr: into('stderr') };
    const io = { version: 'test', env: {}, ...streams, flush } as unknown as Io;
    const code = await main(['replay', ...args], io);
    return { code, ...seen };
  }

  it('ends with a line of JSON that holds all cases of a file, and fails when one does', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'devnet-replay-'));
    try {
      const builder = new ConsensusBuilder('Cancun');
      const first = await builder.next(builder.genesis);
      const good = builder.valid(first).build(first);
      const path = join(dir, 'cases.json');
      writeFileSync(path, JSON.stringify({ good, bad: { ...good, lastblockhash: `0x${'00'.repeat(32)}` } }));
      const { lastblockhash } = good;
      const { code, stdout } = await run(path);
      expect(code).toBe(1);
      expect(JSON.parse(stdout.trimEnd().split('\n').at(-1)!)).toEqual({
        good: { pass: true, lastblockhash },
        bad: { pass: false, lastblockhash, error: expect.any(String) },
      });
      writeFileSync(path, JSON.stringify({ good }));
      const passed = await run('--json', path, files[0]!);
      expect(passed.code).toBe(0);
      expect(
        passed.stdout
          .trimEnd()
          .split('\n')
          .map((line) => Object.keys(JSON.parse(line))),
      ).toEqual([['good'], [expect.stringMatching(/\.jsonl$/)]]);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it.each(ENGINES)('replays recordings and cases with --engine %s', async (engine) => {
    const dir = mkdtempSync(join(tmpdir(), 'devnet-replay-'));
    try {
      const builder = new ConsensusBuilder('Amsterdam');
      const first = await builder.next(builder.genesis, { send: [transfer(0n)] });
      const path = join(dir, 'case.json');
      writeFileSync(path, JSON.stringify({ good: builder.valid(first).build(first) }));
      const { code, stdout } = await run('--engine', engine, path, join(folder, 'manual.jsonl'));
      expect([code, stdout.match(/ 1 of 1 passed/g)]).toEqual([0, expect.objectContaining({ length: 2 })]);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('says which engines there are, and that workers have their own', async () => {
    expect((await run('--engine', 'shado', files[0]!)).stderr).toContain(
      '--engine: expected one of fast, ethereumjs, shadow (did you mean shadow?)',
    );
    const { code, stderr } = await run('--engine', 'fast', '--queue', 'redis://127.0.0.1:1', files[0]!);
    expect([code, stderr]).toEqual([1, expect.stringContaining("--queue: can't be used with --engine")]);
  });

  it('prints nothing but JSON where that is wanted, also on a terminal', async () => {
    expect((await runOn(true, '--threads', '1', files[0]!)).stdout).toMatch(/ 1 of 1 passed/);
    expect(JSON.parse((await runOn(true, '--json', files[0]!)).stdout)).toMatchObject({});
  });

  it('fails for a file that is neither, and one that is not there', async () => {
    expect((await run(import.meta.filename)).code).toBe(1);
    expect((await run('/nowhere.json')).code).toBe(1);
    expect((await run()).code).toBe(1);
  });
});
