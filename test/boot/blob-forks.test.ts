import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createDevnet, type DevnetOptions } from '../../src/index.ts';
import { callsOf } from '../wire.ts';

const FILE = new URL('../../fixtures/genesis/cancun-to-bpo1.json', import.meta.url);
const blobsOf = (target: number, max: number, baseFeeUpdateFraction: number) => ({
  target,
  max,
  baseFeeUpdateFraction,
});

async function configOf(options: DevnetOptions) {
  const node = await createDevnet({ noMining: true, ...options });
  try {
    const call = callsOf(node);
    await call('evm_mine');
    return await call('eth_config');
  } finally {
    await node.close();
  }
}

test('a genesis file schedules blob forks up to BPO5', async () => {
  const genesis = JSON.parse(readFileSync(FILE, 'utf8'));
  const last = genesis.config.bpo1Time as number;
  for (const n of [2, 3, 4, 5]) genesis.config[`bpo${n}Time`] = last + 10 ** 10 * n;
  genesis.config.blobSchedule = {
    ...genesis.config.blobSchedule,
    bpo4: { target: 30, max: 40, baseFeeUpdateFraction: 99 },
  };
  const config = await configOf({ init: genesis });
  expect(config.next.activationTime).toBe(last + 2 * 10 ** 10);
  // Without a schedule of its own it has that of the fork before.
  expect(config.last).toMatchObject({
    activationTime: last + 5 * 10 ** 10,
    blobSchedule: blobsOf(30, 40, 99),
  });
});

test.each([
  ['bpo3', blobsOf(21, 32, 20_609_697)],
  ['BPO5', blobsOf(14, 21, 13_739_630)],
])('a chain with --hardfork %s has its blob schedule', async (hardfork, blobSchedule) => {
  expect((await configOf({ hardfork } as DevnetOptions)).current).toMatchObject({ blobSchedule });
});
