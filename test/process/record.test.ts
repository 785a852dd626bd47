import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replayRecording } from '../../src/replay/replay-recording.ts';
import { FUZZ } from '../fuzz.ts';
import { buildCommand, DevnetProcess, rpc } from './devnet-process.ts';

const ROUNDS = 4 * Math.ceil(FUZZ);
const BOB = '0x0000000000000000000000000000000000000b0b';

let command: ReturnType<typeof buildCommand>;
let dir: string;
let running: DevnetProcess | undefined;

beforeAll(() => {
  command = buildCommand();
  dir = mkdtempSync(join(tmpdir(), 'devnet-record-'));
});
afterAll(async () => {
  await running?.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
  command.remove();
});

/** Transactions, and beside them all that a developer does to a chain, until the process dies. */
async function useUntilDead(url: string): Promise<void> {
  let alive = true;
  const loop = async (step: (i: number) => Promise<unknown>) => {
    for (let i = 0; alive; i++) await step(i);
  };
  const accounts = await rpc(url, 'eth_accounts');
  const send = (from: string) => () =>
    rpc(url, 'eth_sendTransaction', { from, to: BOB, value: '0x1', gas: '0x5208' });
  const develop = async (i: number) => {
    await rpc(url, 'anvil_setBalance', `0x${'0'.repeat(37)}b0c`, `0x${(i + 1).toString(16)}`);
    const snapshot = await rpc(url, 'evm_snapshot');
    await rpc(url, 'anvil_mine', '0x3', '0x1');
    await rpc(url, i % 3 === 0 ? 'evm_revert' : 'evm_mine', ...(i % 3 === 0 ? [snapshot] : []));
    if (i % 4 === 0) await rpc(url, 'anvil_rollback', '0x1');
    if (i % 5 === 0) await rpc(url, 'devnet_reorg', 1);
  };
  const tasks = [loop(send(accounts[0])), loop(send(accounts[1])), loop(develop)];
  await Promise.allSettled(tasks.map((task) => task.finally(() => (alive = false))));
}

it.each([
  ['interval', ['--block-time', '0.2', '--flashblock-interval', '50']],
  ['automine', ['--automine']],
])(
  'what %s mode recorded until kill -9 replays, and goes on after it',
  {
    timeout: 60_000 * Math.max(1, FUZZ),
  },
  async (mode, flags) => {
    const file = join(dir, `${mode}.jsonl`);
    const args = ['--port', '0', '--data-dir', join(dir, mode), ...flags];
    const start = async (...more: string[]) => {
      running = new DevnetProcess(command.path, [...args, ...more]);
      return running.listening();
    };
    let blocks = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const use = useUntilDead(await start('--record', file));
      await setTimeout(500 + Math.random() * 700);
      expect(await running!.kill('SIGKILL')).toBe('SIGKILL');
      await use;
      const result = await replayRecording(file);
      expect(result).toMatchObject({ pass: true });
      expect(result.blocks).toBeGreaterThan(blocks);
      blocks = result.blocks;
    }
    const use = useUntilDead(await start('--record', file));
    await setTimeout(300);
    expect(await running!.kill('SIGTERM')).toBe(0);
    await use;
    const { hash } = await rpc(await start(), 'eth_getBlockByNumber', 'latest', false);
    await running!.kill('SIGKILL');
    const starts = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"start"'));
    expect(starts).toHaveLength(ROUNDS + 1);
    expect(await replayRecording(file)).toMatchObject({ pass: true, lastblockhash: hash });
  },
);
