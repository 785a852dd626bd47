import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keccak256 } from '../../../src/state/keccak.ts';
import { ALICE, startNode, type TestNode } from '../dev/node.ts';
import { initOf, REVERTING } from '../otterscan/programs.ts';

const GWEI = 10n ** 9n;
const hex = (value: bigint) => `0x${value.toString(16)}`;
const MINER = `0x${'c0'.repeat(20)}`;
/** NUMBER, TIMESTAMP, COINBASE and BASEFEE as four words */
const ENV = '435f524260205241604052486060526080 5ff3'.replaceAll(' ', '');

let node: TestNode;
let env: string;
let reverting: string;

beforeAll(async () => {
  node = await startNode();
  const deploy = async (runtime: string) => {
    const hash = await node.rpc('eth_sendTransaction', {
      from: node.accounts[9],
      data: initOf(runtime),
      gas: '0x7a120',
    });
    return (await node.rpc('eth_getTransactionReceipt', hash)).contractAddress as string;
  };
  env = await deploy(ENV);
  reverting = await deploy(REVERTING.slice(2));
});
afterAll(() => node.close());

const sign = async (fields: object) => {
  const answer = await node.rpc('eth_signTransaction', {
    from: node.accounts[0],
    gas: '0x186a0',
    maxFeePerGas: hex(100n * GWEI),
    maxPriorityFeePerGas: hex(2n * GWEI),
    ...fields,
  });
  return typeof answer === 'string' ? answer : answer.raw;
};
const bundle = (txs: string[], fields: object = {}) =>
  node.rpc('eth_callBundle', {
    txs,
    blockNumber: '0x9',
    stateBlockNumber: 'latest',
    coinbase: MINER,
    ...fields,
  });

test('a bundle tells what its transactions pay and return, each on what those before it left', async () => {
  const txs = [
    await sign({ to: ALICE, value: '0x7', nonce: '0x0' }),
    await sign({ to: MINER, value: hex(GWEI), nonce: '0x1' }),
    await sign({ to: env, nonce: '0x2' }),
  ];
  const answer = await bundle(txs, { timestamp: 2_000_000_000 });
  const hashes = txs.map((raw) => keccak256(hexToBytes(raw as `0x${string}`)));
  expect(answer.results.map(({ txHash }: { txHash: string }) => txHash)).toEqual(
    hashes.map((hash) => bytesToHex(hash)),
  );
  expect(answer.bundleHash).toBe(bytesToHex(keccak256(Buffer.concat(hashes))));
  expect(answer.stateBlockNumber).toBe(2);
  const [transfer, tip, call] = answer.results;
  expect(transfer).toEqual({
    txHash: bytesToHex(hashes[0]!),
    fromAddress: node.accounts[0],
    toAddress: ALICE,
    gasUsed: 21_000,
    gasPrice: String(2n * GWEI),
    gasFees: String(42_000n * GWEI),
    coinbaseDiff: String(42_000n * GWEI),
    ethSentToCoinbase: '0',
    value: '0x',
  });
  expect(tip).toMatchObject({
    gasFees: String(42_000n * GWEI),
    ethSentToCoinbase: String(GWEI),
    coinbaseDiff: String(42_001n * GWEI),
    gasPrice: String((42_001n * GWEI) / 21_000n),
  });
  const words = call.value
    .slice(2)
    .match(/.{64}/g)
    .map((word: string) => BigInt(`0x${word}`));
  expect(words.slice(0, 3)).toEqual([9n, 2_000_000_000n, BigInt(MINER)]);
  const used = BigInt(answer.totalGasUsed);
  expect(answer.totalGasUsed).toBe(42_000 + call.gasUsed);
  expect(answer.gasFees).toBe(String(2n * GWEI * used));
  expect(answer.coinbaseDiff).toBe(String(2n * GWEI * used + GWEI));
  expect(answer.ethSentToCoinbase).toBe(String(GWEI));
  expect(answer.bundleGasPrice).toBe(String((2n * GWEI * used + GWEI) / used));
  expect(await node.balance(ALICE)).toBe(0n);
});

test('the base fee follows from the block of the state, unless the bundle names one', async () => {
  const raw = await sign({ to: env, nonce: '0x0' });
  const feeOf = async (fields: object = {}) =>
    BigInt(`0x${(await bundle([raw], fields)).results[0].value.slice(-64)}`);
  expect(hex(await feeOf())).toBe((await node.block('pending')).baseFeePerGas);
  expect(await feeOf({ baseFee: 77 })).toBe(77n);
});

test('a transaction that reverts is a result with its data', async () => {
  const { results } = await bundle([await sign({ to: reverting, nonce: '0x0' })]);
  expect(results[0]).not.toHaveProperty('value');
  expect(results[0].error).toMatch(/^execution reverted/);
  expect(results[0].revert).toMatch(/^0x08c379a0/);
});

test('a creation has no recipient', async () => {
  const { results } = await bundle([await sign({ data: initOf(ENV), nonce: '0x0' })]);
  expect(results[0]).toMatchObject({ toAddress: null, value: `0x${ENV}` });
});

test('it runs on the pending block, and on an earlier one', async () => {
  for (const stateBlockNumber of ['pending', '0x1', 1])
    expect(
      (await bundle([await sign({ to: ALICE, nonce: '0x0' })], { stateBlockNumber })).results,
    ).toHaveLength(1);
});

test('it refuses an empty bundle, no block number, transactions that are invalid there, and unknown blocks', async () => {
  const codeOf = (bundled: object) => node.codeOf('eth_callBundle', bundled);
  const txs = [await sign({ to: ALICE, nonce: '0x0' })];
  const good = { txs, blockNumber: '0x9', stateBlockNumber: 'latest' };
  expect(await codeOf(good)).toBeUndefined();
  expect(await codeOf({ ...good, txs: [] })).toBe(-32602);
  expect(await codeOf({ ...good, blockNumber: '0x0' })).toBe(-32602);
  expect(await codeOf({ txs, stateBlockNumber: 'latest' })).toBe(-32602);
  expect(await codeOf({ txs, blockNumber: '0x9' })).toBe(-32602);
  expect(await codeOf({ ...good, stateBlockNumber: '0x99' })).toBe(-32000);
  expect(await codeOf({ ...good, txs: [...txs, ...txs] })).toBe(-32003);
  expect(await codeOf({ ...good, txs: [await sign({ to: ALICE, nonce: '0x5' })] })).toBe(-32003);
});
