import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rpc, useCommand } from './devnet-process.ts';

const BOB = '0x0000000000000000000000000000000000000b0b';

const command = useCommand();
const start = (args: readonly string[], fileLimit?: number) =>
  command.run(
    ['--port', '0', '--automine', '--state', join(command.dir, 'state.json'), ...args],
    fileLimit === undefined ? {} : { fileLimit },
  );

async function send(url: string): Promise<string> {
  const [from] = await rpc(url, 'eth_accounts');
  return rpc(url, 'eth_sendTransaction', { from, to: BOB, value: '0x1', gas: '0x5208' });
}

describe('a restart with --state', () => {
  it('goes on where the chain stopped, and knows its transactions', async () => {
    const hashes: string[] = [];
    let newest: string | undefined;
    for (let run = 0; run < 3; run++) {
      const process = start(['--preserve-historical-states']);
      const url = await process.listening();
      const block = await rpc(url, 'eth_getBlockByNumber', 'latest', false);
      expect(Number(block.number)).toBe(run);
      if (newest) expect(block.hash).toBe(newest);
      for (const [i, hash] of hashes.entries()) {
        expect(await rpc(url, 'eth_getTransactionReceipt', hash)).toMatchObject({
          blockNumber: `0x${i + 1}`,
        });
        expect(await rpc(url, 'eth_getBalance', BOB, `0x${i + 1}`)).toBe(`0x${i + 1}`);
      }
      hashes.push(await send(url));
      newest = (await rpc(url, 'eth_getBlockByNumber', 'latest', false)).hash;
      expect(await process.kill('SIGTERM')).toBe(0);
      expect(process.stderr).toBe('');
    }
    expect(readdirSync(command.dir)).toEqual(['state.json']);
  });

  it('says in one line what in the file is not as it was asked for', async () => {
    const first = start(['--chain-id', '5']);
    await send(await first.listening());
    await first.kill('SIGTERM');
    const second = start([]);
    expect(await second.exited).toBe(1);
    expect(second.stderr).toMatch(/^error: the state file .*state\.json can't be loaded: .*--chain-id 5\n$/);
  });
});

// Windows has no ulimit.
describe.skipIf(process.platform === 'win32')('a disk that fills up', () => {
  it('leaves the file before whole, and nothing half written', async () => {
    const file = join(command.dir, 'state.json');
    const first = start([]);
    await send(await first.listening());
    expect(await first.kill('SIGTERM')).toBe(0);
    const before = readFileSync(file);

    const second = start(['--state-interval', '1'], 100);
    const url = await second.listening();
    const told = new Promise<void>((resolve) => {
      second.child.stderr!.on('data', () => {
        if (second.stderr.includes('EFBIG')) resolve();
      });
    });
    for (let i = 0; i < 4; i++)
      await rpc(
        url,
        'anvil_setCode',
        `0x${(2 ** 40 + i).toString(16).padStart(40, '0')}`,
        `0x${'5b'.repeat(20_000)}`,
      );
    await told;
    expect(existsSync(`${file}.tmp`)).toBe(false);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(await rpc(url, 'eth_blockNumber')).toBe('0x1');
  });
});
