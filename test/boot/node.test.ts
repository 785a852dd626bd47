import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/clock.ts';
import { createDevnet, type DevnetOptions } from '../../src/index.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'devnet-node-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const manual = { manualClock: true } as const;

describe('createDevnet', () => {
  it('closed resolves after close', async () => {
    const devnet = await createDevnet({ ...manual, noMining: true });
    let closed = false;
    void devnet.closed.then(() => {
      closed = true;
    });
    await devnet.provider.request({ method: 'eth_chainId' });
    expect(closed).toBe(false);
    await Promise.all([devnet.close(), devnet.close()]);
    await devnet.closed;
    expect(closed).toBe(true);
  });

  it('two run side by side with other chain ids', async () => {
    const nodes = await Promise.all(
      [1, 2].map((chainId) => createDevnet({ ...manual, chainId, automine: true })),
    );
    const ids = await Promise.all(nodes.map((node) => node.provider.request({ method: 'eth_chainId' })));
    expect(ids).toEqual(['0x1', '0x2']);
    await Promise.all(nodes.map((node) => node.close()));
  });
});

describe('a reopened data directory', () => {
  const time = async (options: DevnetOptions, calls: string[]) => {
    const devnet = await createDevnet({ noMining: true, dataDir, ...options });
    for (const method of calls) await devnet.provider.request({ method });
    const head = (await devnet.provider.request({
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
    })) as { timestamp: string; number: string };
    await devnet.close();
    return Number(head.timestamp);
  };

  it('keeps the genesis time that was asked for as where its time began', async () => {
    const first = await time({ timestamp: 1_000_000_000 }, ['evm_mine']);
    const second = await time({}, ['evm_mine']);
    expect(second).toBeGreaterThan(first);
    expect(second).toBeLessThan(1_000_000_060);
  });

  it('goes on in the time that quick blocks pushed on', async () => {
    const started = Math.floor(new SystemClock().now() / 1000);
    const head = await time({}, Array(50).fill('evm_mine'));
    expect(head).toBeGreaterThanOrEqual(started + 50);
    const next = await time({}, ['evm_mine']);
    expect(next).toBeGreaterThan(head);
    expect(next).toBeLessThan(head + 30);
  });

  it('goes on from its head when the clock is behind it', async () => {
    const ahead = Math.floor(new SystemClock().now() / 1000) + 100_000;
    await time({ timestamp: ahead, ...manual }, ['evm_mine']);
    const next = await time({}, ['evm_mine']);
    expect(next).toBeGreaterThan(ahead);
    expect(next).toBeLessThan(ahead + 60);
  });

  it('that is damaged is refused, and repaired when asked to', async () => {
    await time({ ...manual }, ['evm_mine', 'evm_mine', 'evm_mine']);
    const database = join(dataDir, 'db');
    const log = readdirSync(database).find((name) => name.endsWith('.log'))!;
    const bytes = readFileSync(join(database, log));
    bytes[bytes.length - 20]! ^= 0xff;
    writeFileSync(join(database, log), bytes);

    await expect(createDevnet({ ...manual, noMining: true, dataDir })).rejects.toMatchObject({
      code: 'damaged',
    });
    const devnet = await createDevnet({ ...manual, noMining: true, dataDir, repair: true });
    const head = await devnet.provider.request({ method: 'eth_blockNumber' });
    // The write-ahead log still has what LevelDB's log has lost.
    expect(head).toBe('0x3');
    expect(devnet.repaired).toEqual({ head: 3n, batches: 0 });
    await devnet.provider.request({ method: 'evm_mine' });
    await devnet.close();
  });
});
