import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { startNode } from '../../src/start.ts';
import { FaultyDisk } from '../whole/simulate/faulty-disk.ts';
import { callsOf } from '../wire.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-first-start-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it.each([
  ['in the middle of the first write', 0, 0.5],
  ['in the middle of the second write', 1, 0.5],
])('a chain goes on whose first start was killed %s', async (_, after, part) => {
  const options = { dataDir: join(dir, 'data'), manualClock: true } as const;
  const disk = new FaultyDisk();
  disk.fail({ kind: 'die', after, part });
  await expect(startNode({ ...options, timestamp: 1_700_000_000 }, { disk })).rejects.toThrow('dead');

  const node = await createDevnet({ ...options, timestamp: 1_700_000_000 });
  await callsOf(node)('evm_mine');
  await node.close();
  const again = await createDevnet(options);
  expect(await callsOf(again)('eth_blockNumber')).toBe('0x1');
  await again.close();
});

it('a chain that was killed before its genesis block was stored begins at the next start', async () => {
  const options = { dataDir: join(dir, 'data'), manualClock: true } as const;
  const disk = new FaultyDisk();
  disk.die();
  await expect(startNode(options, { disk })).rejects.toThrow('dead');

  const node = await createDevnet(options);
  const genesis = await callsOf(node)('eth_getBlockByNumber', '0x0', false);
  await node.close();
  const again = await createDevnet(options);
  expect(await callsOf(again)('eth_getBlockByNumber', '0x0', false)).toEqual(genesis);
  await again.close();
});
