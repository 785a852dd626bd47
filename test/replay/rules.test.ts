import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withChecksum } from '../../src/checked-line.ts';
import { createDevnet, type DevnetOptions } from '../../src/index.ts';
import { replayRecording } from '../../src/replay/replay-recording.ts';
import { type Ask, file, headOf, lines, useFreshFolder } from './recorded.ts';

useFreshFolder();

/** Records what `step` does. @returns hash and timestamps of the chain */
async function recorded(options: DevnetOptions, step: (ask: Ask, accounts: string[]) => Promise<void>) {
  const node = await createDevnet({
    timestamp: 1_700_000_000,
    manualClock: true,
    record: file,
    ...options,
  } as DevnetOptions);
  try {
    const accounts = node.accounts.map(({ address }) => address.toLowerCase());
    await step((method, ...params) => node.provider.request({ method, params }), accounts);
  } finally {
    await node.close();
  }
}

const sends = async (ask: Ask, [first, second]: string[]) => {
  await ask('evm_setAutomine', false);
  for (const [from, tip] of [
    [first, '0x1'],
    [second, '0x9'],
    [first, '0x1'],
  ])
    await ask('eth_sendTransaction', {
      from,
      to: from,
      value: '0x1',
      maxFeePerGas: '0x174876e800',
      maxPriorityFeePerGas: tip,
    });
  await ask('evm_setAutomine', true);
  await ask('eth_sendTransaction', { from: second, to: first, value: '0x1' });
};

it.each<[string, DevnetOptions]>([
  ['by default', { automine: true }],
  ['as Hardhat', { compat: 'hardhat' }],
])('what waits when automine goes on is replayed in the same blocks %s', async (_, options) => {
  await recorded(options, sends);
  const result = await replayRecording(file);
  expect(result).toMatchObject({ pass: true, lastblockhash: headOf(lines()), transactions: 4 });
  expect(result.blocks).toBe(options.compat ? 1 : 2);
});

it.each<[string, DevnetOptions]>([
  ['by default', { automine: true, baseFee: 0n }],
  ['as Hardhat', { compat: 'hardhat2', baseFee: 0n }],
])(
  'blocks without base fee, and with a time between them, are replayed to the same hashes %s',
  async (_, options) => {
    await recorded(options, async (ask, [from]) => {
      await ask('evm_setBlockGasLimit', '0x7530');
      await ask('eth_sendTransaction', { from, to: from, gas: '0x5208', gasPrice: '0x0' });
      await ask('anvil_mine', '0x3', '0x64');
      await ask('eth_sendTransaction', { from, to: from, gas: '0x5208', gasPrice: '0x0' });
    });
    expect(await replayRecording(file)).toMatchObject({ pass: true, lastblockhash: headOf(lines()) });
  },
);

it('a recording without the version of its rules is replayed by those of older versions', async () => {
  await recorded({ automine: true }, async (ask) => {
    await ask('anvil_mine', '0x3', '0x64');
  });
  const text = readFileSync(file, 'utf8');
  const start = lines().find((line) => line.startsWith('{"start"'))!;
  expect(JSON.parse(start)).toMatchObject({ rules: 2 });
  const { rules: _, sum: __, ...older } = JSON.parse(start);
  writeFileSync(file, text.replace(start, withChecksum(JSON.stringify(older))));
  const result = await replayRecording(file);
  expect(result).toMatchObject({ pass: false, difference: { block: '1' } });
});
