import { afterEach, describe, expect, test } from 'vitest';
import type { DevnetOptions } from '../../../src/index.ts';
import { ALICE, GENESIS_TIME, MODES, startNode, type TestNode } from '../dev/node.ts';
import { initOf } from '../otterscan/programs.ts';

/** Stores the second word of the call data in the slot that the first names. */
const WRITER = '6020355f3555';
const word = (value: number) => value.toString(16).padStart(64, '0');
const call = (slot: number, value: number) => `0x${word(slot)}${word(value)}`;

let node: TestNode;
let contract: string;
afterEach(() => node.close());

async function start(options: DevnetOptions = MODES.automine) {
  node = await startNode(options);
  const hash = await node.rpc('eth_sendTransaction', {
    from: node.accounts[0],
    data: initOf(WRITER),
    gas: '0x7a120',
  });
  await settle();
  contract = (await node.rpc('eth_getTransactionReceipt', hash)).contractAddress;
  await write(1, 5);
  await settle();
}
const settle = async () => {
  if ((await node.rpc('anvil_getIntervalMining')) !== null) await node.clock.advance(2_000);
  else if (!(await node.rpc('anvil_getAutomine'))) await node.rpc('evm_mine');
};
const write = (slot: number, value: number, fields: object = {}) =>
  node.rpc('eth_sendTransaction', {
    from: node.accounts[0],
    to: contract,
    data: call(slot, value),
    gas: '0x186a0',
    ...fields,
  });
const sign = async (fields: object = {}) => {
  const answer = await node.rpc('eth_signTransaction', {
    from: node.accounts[1],
    to: ALICE,
    value: '0x1',
    gas: '0x5208',
    ...fields,
  });
  return (typeof answer === 'string' ? answer : answer.raw) as string;
};
const sendIf = async (conditions: unknown, raw?: string) =>
  node.rpc('eth_sendRawTransactionConditional', raw ?? (await sign()), conditions);
const codeIf = async (conditions: unknown) =>
  node.codeOf('eth_sendRawTransactionConditional', await sign(), conditions);
const slots = (value: number) => ({
  knownAccounts: { [contract]: { [`0x${word(1)}`]: `0x${word(value)}` } },
});

describe.each(Object.entries(MODES))('in mode %s, a conditional transaction', (_, mode) => {
  test('is included where its conditions hold', async () => {
    await start(mode);
    const { storageHash } = await node.rpc('eth_getProof', contract, [], 'latest');
    const number = BigInt(await node.rpc('eth_blockNumber'));
    const conditions = [
      {},
      {
        blockNumberMin: '0x1',
        blockNumberMax: `0x${(number + 50n).toString(16)}`,
        timestampMin: GENESIS_TIME,
        timestampMax: '0xffffffffff',
      },
      slots(5),
      { knownAccounts: { [contract]: storageHash } },
      {
        knownAccounts: {
          [contract]: { '0x1': '0x5', nonce: '0x1', balance: '0x0', code: `0x${WRITER}` },
          [ALICE]: { code: '' },
        },
      },
    ];
    for (const one of conditions) {
      const hash = await sendIf(one);
      await settle();
      expect((await node.rpc('eth_getTransactionReceipt', hash)).status, JSON.stringify(one)).toBe('0x1');
    }
  });

  test('is refused where one of them does not hold', async () => {
    await start(mode);
    const far = `0x${10 ** 9}`;
    for (const conditions of [
      { blockNumberMax: '0x1' },
      { blockNumberMin: far },
      { timestampMax: GENESIS_TIME - 1 },
      { timestampMin: '0xffffffffff' },
      slots(6),
      { knownAccounts: { [contract]: `0x${'12'.repeat(32)}` } },
      { knownAccounts: { [contract]: { balance: '0x1' } } },
      { knownAccounts: { [contract]: { nonce: '0x0' } } },
      { knownAccounts: { [contract]: { code: '' } } },
      { blockNumberMin: '0x9', blockNumberMax: '0x8' },
      { timestampMin: '0x9', timestampMax: '0x8' },
    ])
      expect(await codeIf(conditions), JSON.stringify(conditions)).toBe(-32003);
    expect(await node.rpc('txpool_status')).toMatchObject({ pending: '0x0', queued: '0x0' });
  });
});

test('conditions about too much, and bad ones, are refused', async () => {
  await start();
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`0x${word(i)}`, '0x0']));
  expect(await codeIf({ knownAccounts: { [contract]: many } })).toBe(-32005);
  for (const bad of [
    undefined,
    null,
    'x',
    { blockNumberMin: 'x' },
    { knownAccounts: [] },
    { knownAccounts: { [contract]: '0x12' } },
    { knownAccounts: { [contract]: { '0x1': 'x' } } },
    { paysCoinbase: '0x1' },
  ])
    expect(await codeIf(bad), JSON.stringify(bad)).toBe(-32602);
});

describe('conditions that no longer hold when a block is made', () => {
  test('drop the transaction: state', async () => {
    await start(MODES.manual);
    const hash = await sendIf(
      slots(5),
      await sign({ maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x1' }),
    );
    await write(1, 6, { maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x5f5e100' });
    expect((await node.block('pending')).transactions).not.toContain(hash);
    await node.rpc('evm_mine');
    expect(await node.rpc('eth_getTransactionReceipt', hash)).toBeNull();
    expect(await node.rpc('txpool_status')).toMatchObject({ pending: '0x0', queued: '0x0' });
  });

  test('drop the transaction: a storage root that an earlier transaction of the block changed', async () => {
    await start(MODES.manual);
    const { storageHash } = await node.rpc('eth_getProof', contract, [], 'latest');
    const hash = await sendIf(
      { knownAccounts: { [contract]: storageHash } },
      await sign({ maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x1' }),
    );
    await write(1, 6, { maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x5f5e100' });
    await node.rpc('evm_mine');
    expect(await node.rpc('eth_getTransactionReceipt', hash)).toBeNull();
  });

  test('drop the transaction: number and time of the block', async () => {
    await start(MODES.manual);
    const next = Number(await node.rpc('eth_blockNumber')) + 1;
    const hash = await sendIf({ blockNumberMax: next, timestampMax: GENESIS_TIME + 100 });
    await node.rpc('evm_increaseTime', 1_000);
    await node.rpc('evm_mine');
    expect(await node.rpc('eth_getTransactionReceipt', hash)).toBeNull();
    expect(await node.rpc('txpool_status')).toMatchObject({ pending: '0x0' });
  });

  test('hold where the block still meets them', async () => {
    await start(MODES.manual);
    const hash = await sendIf(slots(5));
    const snapshot = await node.rpc('evm_snapshot');
    await node.rpc('evm_revert', snapshot);
    await node.rpc('evm_mine');
    expect((await node.rpc('eth_getTransactionReceipt', hash)).status).toBe('0x1');
  });
});
