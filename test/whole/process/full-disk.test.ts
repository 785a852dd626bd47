import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DevnetProcess, rpc, useCommand } from './devnet-process.ts';

const LIMIT = 400;
const CODE = `0x${'5b'.repeat(5000)}`;

const command = useCommand();
let running: DevnetProcess;

const addressOf = (index: number) => `0x${(2 ** 40 + index).toString(16).padStart(40, '0')}`;

function start(args: readonly string[], fileLimit?: number): Promise<string> {
  running = command.run(['--automine', '--port', '0', ...args], fileLimit === undefined ? {} : { fileLimit });
  return running.listening();
}

/** Writes until a write fails. @returns how many were answered */
async function fill(url: string): Promise<number> {
  for (let index = 0; index < 100; index++) {
    const answered = await rpc(url, 'anvil_setCode', addressOf(index), CODE).then(
      () => true,
      () => false,
    );
    if (!answered) return index;
  }
  throw new Error('the disk is not full');
}

// Windows has no ulimit.
describe.skipIf(process.platform === 'win32')('a full disk', () => {
  it('ends the chain at the first write that fails, and what was answered is there at the next start', async () => {
    const dataDir = join(command.dir, 'data');
    const count = await fill(await start(['--data-dir', dataDir], LIMIT));
    expect(count).toBeGreaterThan(2);
    expect(await running.exited).toBe(1);
    expect(running.stderr).toMatch(/^error: data directory .*: can't be used \(EFBIG.*\n$/);

    const url = await start(['--data-dir', dataDir]);
    for (let index = 0; index < count; index++)
      expect(await rpc(url, 'eth_getCode', addressOf(index), 'latest')).toBe(CODE);
  });

  it('ends the chain at the first line that a recording lacks, and what it holds can be replayed', async () => {
    const recording = join(command.dir, 'recording');
    const count = await fill(await start(['--record', recording], LIMIT));
    expect(count).toBeGreaterThan(2);
    expect(await running.exited).toBe(1);
    expect(running.stderr).toMatch(/^error: the recording can't be written: EFBIG.*\n$/);
    expect(spawnSync(process.execPath, [command.path, 'replay', recording]).status).toBe(0);
  });
});
