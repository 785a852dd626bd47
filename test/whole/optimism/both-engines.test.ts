// The same estimates and calls, of deposits too, to a chain of the OP Stack on each engine: answers and errors are equal.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevnet } from '../../../src/index.ts';
import { deployContracts, encode, outcomeOf, REVERTING } from '../../rpc/text-calls.ts';
import { type Call, callsOf } from '../../wire.ts';

const SOURCE = `0x${'5'.repeat(64)}`;
const POOR = '0x00000000000000000000000000000000000000a1';

let chains: readonly { node: Awaited<ReturnType<typeof createDevnet>>; rpc: Call }[];
let from: string;
let to: string;

beforeAll(async () => {
  chains = await Promise.all(
    (['fast', 'ethereumjs'] as const).map(async (engine) => {
      const node = await createDevnet({
        engine,
        optimism: true,
        automine: true,
        manualClock: true,
        timestamp: 1_700_000_000,
      });
      return { node, rpc: callsOf(node) };
    }),
  );
  for (const { rpc } of chains) {
    [from] = await rpc('eth_accounts');
    to = await deployContracts(rpc, from as `0x${string}`);
  }
});
afterAll(async () => {
  for (const { node } of chains) await node.close();
});

const requests = (): [string, unknown][] => [
  ['a transfer', { from, to: POOR, value: '0x1' }],
  ['a transfer with a gas price', { from, to: POOR, value: '0x1', gasPrice: '0x77359400' }],
  ['one that its sender cannot pay', { from: POOR, to, value: '0x1', maxFeePerGas: '0x77359400' }],
  ['a call', { from, to, data: encode('fill', 0n, 9n, 5n) }],
  ['a failing call', { from, to: REVERTING, data: '0x' }],
  ['a blob transaction', { from, to, type: '0x3', blobVersionedHashes: [`0x01${'0'.repeat(62)}`] }],
  ['a deposit', { from: POOR, to, sourceHash: SOURCE, mint: '0x9', value: '0x5' }],
  ['a deposit that calls', { from: POOR, to, sourceHash: SOURCE, data: encode('fill', 0n, 9n, 5n) }],
  ['a deposit with gas', { from: POOR, to, sourceHash: SOURCE, mint: '0x9', value: '0x9', gas: '0x186a0' }],
  ['a deposit that creates', { from: POOR, sourceHash: SOURCE, data: '0x6001600055' }],
  ['a deposit that fails', { from: POOR, to: REVERTING, sourceHash: SOURCE, mint: '0x9' }],
  ['a deposit without its value', { from: POOR, to, sourceHash: SOURCE, mint: '0x9', value: '0xa' }],
  ['a system transaction', { from: POOR, to, sourceHash: SOURCE, isSystemTx: true }],
  ['a deposit with too little gas', { from: POOR, to, sourceHash: SOURCE, gas: '0x5207' }],
];

it.each(['eth_call', 'eth_estimateGas'])('%s answers alike on both engines', async (method) => {
  for (const [name, request] of requests())
    for (const tag of ['latest', 'pending']) {
      const [fast, ethereumjs] = await Promise.all(
        chains.map(({ rpc }) => outcomeOf(rpc(method, request, tag))),
      );
      expect(fast, name).toEqual(ethereumjs);
    }
});

it('an estimate of a deposit changes nothing', async () => {
  const [{ rpc }] = chains as [(typeof chains)[0]];
  const deposit = { from: POOR, to, sourceHash: SOURCE, mint: '0x9', value: '0x5' };
  await rpc('eth_estimateGas', deposit);
  expect(await rpc('eth_getBalance', POOR, 'latest')).toBe('0x0');
  await expect(rpc('eth_call', { from: POOR, to, value: '0x5', gasPrice: '0x1' })).rejects.toMatchObject({
    code: -32003,
  });
});
