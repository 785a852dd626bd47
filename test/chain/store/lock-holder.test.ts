import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CheckedLevel } from '../../../src/chain/store/checked-level.ts';

const LEVEL = createRequire(import.meta.url).resolve('classic-level');

it('a directory in use names the process that has it, where the system tells', async () => {
  const path = mkdtempSync(join(tmpdir(), 'devnet-lock-'));
  const script = `const { ClassicLevel } = require(${JSON.stringify(LEVEL)});
    new ClassicLevel(${JSON.stringify(path)}).open().then(() => console.log('open'));
    setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['-e', script]);
  try {
    await once(other.stdout, 'data');
    const who = process.platform === 'linux' ? `process ${other.pid}` : 'another process';
    await expect(
      new CheckedLevel({ path, dir: path, create: true, fsync: false }).open(),
    ).rejects.toMatchObject({
      code: 'locked',
      message: `data directory ${path}: in use by ${who}. Stop it, or use another directory`,
    });
  } finally {
    other.kill();
    await once(other, 'exit');
    rmSync(path, { recursive: true });
  }
});

it('a directory that a chain of this process uses is told as such', async () => {
  const path = mkdtempSync(join(tmpdir(), 'devnet-lock-'));
  const first = new CheckedLevel({ path, dir: path, create: true, fsync: false });
  await first.open();
  await expect(
    new CheckedLevel({ path, dir: path, create: true, fsync: false }).open(),
  ).rejects.toMatchObject({
    code: 'locked',
    message: `data directory ${path}: in use by another chain of this process (${process.pid}). Close that, or use another directory`,
  });
  await first.close();
  // The refused one doesn't open it later either.
  rmSync(path, { recursive: true });
  await new Promise(setImmediate);
  expect(existsSync(path)).toBe(false);
});
