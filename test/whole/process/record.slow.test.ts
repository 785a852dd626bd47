import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replayRecording } from '../../../src/replay/replay-recording.ts';
import { FUZZ } from '../../fuzz.ts';
import { type DevnetProcess, rpc, UseUntilDead, useCommand } from './devnet-process.ts';

/** The first kill ends a new recording, each later one a recording that was continued after a kill. */
const ROUNDS = 2 * Math.ceil(FUZZ);
const BOB = '0x0000000000000000000000000000000000000b0b';

const command = useCommand();

/** Transactions, and beside them all that a developer does to a chain, until the process dies. */
async function useUntilDead(url: string): Promise<UseUntilDead> {
  const accounts = await rpc(url, 'eth_accounts');
  const send = (from: string) => () =>
    rpc(url, 'eth_sendTransaction', { from, to: BOB, value: '0x1', gas: '0x5208' });
  const develop = async (i: number) => {
    await rpc(url, 'anvil_setBalance', `0x${'0'.repeat(37)}b0c`, `0x${(i + 1).toString(16)}`);
    // As many as are taken back below.
    await rpc(url, 'anvil_mine', '0x2');
    const snapshot = await rpc(url, 'evm_snapshot');
    await rpc(url, 'anvil_mine', '0x3', '0x1');
    await rpc(url, i % 3 === 0 ? 'evm_revert' : 'evm_mine', ...(i % 3 === 0 ? [snapshot] : []));
    if (i % 4 === 0) await rpc(url, 'anvil_rollback', '0x1');
    if (i % 5 === 0) await rpc(url, 'devnet_reorg', 1);
  };
  return new UseUntilDead([send(accounts[0]), send(accounts[1]), develop]);
}

it.each([
  ['interval', ['--block-time', '0.2', '--flashblock-interval', '50']],
  ['automine', ['--automine']],
])('what %s mode recorded until kill -9 replays, and goes on after it', async (mode, flags) => {
  const file = join(command.dir, `${mode}.jsonl`);
  const args = ['--port', '0', '--data-dir', join(command.dir, mode)];
  let running: DevnetProcess;
  const start = (...more: string[]) => {
    running = command.run([...args, ...more]);
    return running.listening();
  };
  let blocks = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const use = await useUntilDead(await start(...flags, '--record', file));
    await use.more(50 + Math.floor(Math.random() * 100));
    expect(await running!.kill('SIGKILL')).toBe('SIGKILL');
    await use.over;
    const result = await replayRecording(file);
    expect(result).toMatchObject({ pass: true });
    expect(result.blocks).toBeGreaterThan(blocks);
    blocks = result.blocks;
  }
  const use = await useUntilDead(await start(...flags, '--record', file));
  await use.more(50);
  expect(await running!.kill('SIGTERM')).toBe(0);
  await use.over;
  // Without mining, so that the head stays where the recording ended.
  const { hash } = await rpc(await start('--no-mining'), 'eth_getBlockByNumber', 'latest', false);
  await running!.kill('SIGKILL');
  const starts = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"start"'));
  expect(starts).toHaveLength(ROUNDS + 1);
  expect(await replayRecording(file)).toMatchObject({ pass: true, lastblockhash: hash });
});
