import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rpc, useCommand } from './devnet-process.ts';

const BOB = '0x0000000000000000000000000000000000000b0b';

const command = useCommand();
/** With the test's directory as the system's temporary one. */
const run = (args: readonly string[]) => command.run(args, { env: { TMPDIR: command.dir } });
const start = (...args: string[]) => run(['--port', '0', ...args]);

/** Answers the hash when the transaction is in a block, a pre-confirmed one at least. */
async function send(url: string): Promise<string> {
  const [from] = await rpc(url, 'eth_accounts');
  const transaction = { from, to: BOB, value: '0x1', gas: '0x5208' };
  return (await rpc(url, 'eth_sendTransactionSync', transaction)).transactionHash;
}

const leftovers = () => readdirSync(command.dir).filter((name) => name.startsWith('devnet-'));

describe('the command alone', () => {
  it('serves on port 8545, or says that somebody else does', async () => {
    const process = run([]);
    const url = await process.listening().catch(() => undefined);
    if (url === undefined) expect(process.stderr).toMatch(/^error: port 8545 is in use/);
    else expect(await rpc(url, 'eth_chainId')).toBe('0x7a69');
  });
});

describe('the built script', () => {
  it('finds the packages that it loads when they are needed', async () => {
    const process = start('--automine');
    const url = await process.listening();
    const [account] = await rpc(url, 'eth_accounts');
    expect(await rpc(url, 'eth_sign', account, '0x00')).toMatch(/^0x[0-9a-f]{130}$/);
    // The proof that the polynomial 0 is 0 at 0: commitment and proof are the point at infinity.
    const infinity = Buffer.from(`c0${'00'.repeat(47)}`, 'hex');
    const versionedHash = createHash('sha256').update(infinity).digest().fill(1, 0, 1);
    const data = `0x${Buffer.concat([versionedHash, Buffer.alloc(64), infinity, infinity]).toString('hex')}`;
    const to = '0x000000000000000000000000000000000000000a';
    expect(await rpc(url, 'eth_call', { to, data }, 'latest')).toMatch(/^0x0{60}100073eda753/);
    // Points at infinity of BLS12-381 (0x0b), and of BN254 (0x06).
    for (const [address, bytes] of [
      ['0x000000000000000000000000000000000000000b', 128],
      ['0x0000000000000000000000000000000000000006', 64],
    ] as const) {
      const sum = await rpc(url, 'eth_call', { to: address, data: `0x${'00'.repeat(2 * bytes)}` }, 'latest');
      expect(sum).toBe(`0x${'00'.repeat(bytes)}`);
    }
    expect((await fetch(`${url}/metrics`)).ok).toBe(true);
    expect(process.stderr).toBe('');
  });
});

describe('the end', () => {
  it('SIGTERM seals what is pre-confirmed and exits 0', async () => {
    const dataDir = join(command.dir, 'data');
    const first = start('--data-dir', dataDir, '--block-time', '60');
    const url = await first.listening();
    const hash = await send(url);
    expect(await first.kill('SIGTERM')).toBe(0);
    expect(first.stderr).toBe('');

    const again = await start('--data-dir', dataDir, '--no-mining').listening();
    expect(await rpc(again, 'eth_blockNumber')).toBe('0x1');
    expect(await rpc(again, 'eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x1' });
  });

  it('removes the temporary directory', async () => {
    const process = start();
    await process.listening();
    expect(leftovers()).toHaveLength(1);
    expect(await process.kill('SIGINT')).toBe(0);
    expect(leftovers()).toEqual([]);
  });

  it('a port in use is one line and exit 1, and leaves nothing behind', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const process = start('--port', `${port}`);
    expect(await process.exited).toBe(1);
    expect(process.stderr).toMatch(
      new RegExp(
        `^error: port ${port} is in use \\(EADDRINUSE\\), maybe by another devnet, anvil or hardhat node: "[^"]*${port}[^"]*" shows which process it is; end that, or choose another port with --port, 0 for a free one\n$`,
      ),
    );
    expect(process.stdout).toBe('');
    expect(leftovers()).toEqual([]);
    await new Promise((resolve) => other.close(resolve));
  });

  it('a reader of the log that goes away ends nothing', async () => {
    // A block is further from the next one than the log's lines are gathered.
    const process = start('--block-time', '0.25', '--flashblock-interval', '0');
    const url = await process.listening();
    process.child.stdout!.destroy();
    for (let i = 0; i < 3; i++) await send(url);
    expect(Number(await rpc(url, 'eth_blockNumber'))).toBeGreaterThanOrEqual(3);
    expect(await process.kill('SIGTERM')).toBe(0);
    expect(process.stderr).toBe('');
  });
});

describe('a data directory', () => {
  it('is used by one process at a time', async () => {
    const dataDir = join(command.dir, 'data');
    await start('--data-dir', dataDir).listening();
    const second = start('--data-dir', dataDir);
    expect(await second.exited).toBe(1);
    expect(second.stderr).toMatch(/^error: data directory .*in use by (another process|process \d+)\. .*\n$/);
  });

  it('that is reopened goes on in its own time', async () => {
    const dataDir = join(command.dir, 'data');
    const first = start('--data-dir', dataDir, '--timestamp', '1000000000', '--automine');
    await send(await first.listening());
    await first.kill('SIGKILL');
    const url = await start('--data-dir', dataDir, '--automine').listening();
    await send(url);
    const [one, two] = await Promise.all(
      ['0x1', '0x2'].map((tag) => rpc(url, 'eth_getBlockByNumber', tag, false)),
    );
    // Chain time, not that of the machine, however slow that is.
    expect(Number(one.timestamp) - 1e9).toBeLessThan(1_000);
    expect(Number(two.timestamp) - Number(one.timestamp)).toBeGreaterThan(0);
    expect(Number(two.timestamp) - 1e9).toBeLessThan(1_000);
  });
});

describe('the log', () => {
  it('tells calls, transactions and blocks on stdout', async () => {
    const process = start('--automine');
    const url = await process.listening();
    const hash = await send(url);
    const block = await rpc(url, 'eth_getBlockByNumber', 'latest', false);
    await process.kill('SIGTERM');
    const log = process.stdout.slice(process.stdout.indexOf('Listening on'));
    const lines = log.replaceAll(/ \d+ ms$/gm, '').split('\n');
    expect(lines).toEqual(expect.arrayContaining(['eth_accounts', 'eth_sendTransactionSync']));
    for (const line of [
      `Transaction: ${hash}`,
      'Gas used: 21000 of 21000',
      'Block Number: 1',
      `Block Hash: ${block.hash}`,
      `Block Time: ${new Date(Number(block.timestamp) * 1000).toISOString().replace('.000Z', 'Z')}`,
    ])
      expect(log).toContain(`    ${line}\n`);
    expect(process.stderr).toBe('');
  });
});
