// The same deposits to `anvil --optimism` and to `devnet --optimism`: what becomes of them is the same.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { serializeTransaction } from 'viem/op-stack';
import { startAnvil, startDevnet } from './nodes.mjs';

const FLAGS = ['--chain-id', '31337', '--timestamp', '1700000000'];
const start = {
  anvil: (...flags) => startAnvil('--optimism', ...FLAGS, ...flags),
  devnet: (...flags) =>
    startDevnet('--network', 'optimism', '--deposits-only', '--automine', ...FLAGS, ...flags),
};
const POOR = '0x00000000000000000000000000000000000000aa';
const BOB = '0x0000000000000000000000000000000000000b0b';
const REVERTING = '0x00000000000000000000000000000000000000cc';
const LOGGING = '0x00000000000000000000000000000000000000dd';
const VAULTS = ['19', '1a', '1b'].map((end) => `0x42000000000000000000000000000000000000${end}`);
const L1_BLOCK = '0x4200000000000000000000000000000000000015';
const NOBODY = '0x0000000000000000000000000000000000000000';
const word = (value) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;

const DEPOSITS = {
  'mints and pays': { mint: 7n, value: 3n },
  'only mints': { mint: 7n },
  reverts: { to: REVERTING, mint: 7n, value: 3n },
  logs: { to: LOGGING, value: 1n },
  'creates a contract': { to: undefined, value: 1n, data: '0x60206000f3' },
  'creates one in vain': { to: undefined, data: '0xfe' },
  'is of the system': { isSystemTx: true, mint: 7n, value: 3n },
  'runs out of gas': { to: LOGGING, gas: 21_100n, mint: 1n },
  'comes from a contract': { from: LOGGING, value: 1n },
  'has more gas than EIP-7825 gives': { gas: 20_000_000n },
  'has data': { data: `0x${'00ff'.repeat(400)}` },
};

const REFUSED = {
  'can not pay its value': { value: 10n ** 18n },
  'has no gas to begin': { gas: 20_000n },
  'has more gas than a block': { gas: 30_000_001n },
};

let source = 0;
const rawOf = (fields, at = ++source) =>
  serializeTransaction({
    type: 'deposit',
    sourceHash: word(at),
    from: POOR,
    to: BOB,
    gas: 100_000n,
    ...fields,
  });

/** anvil answers a send before the block is there. */
async function send({ rpc }, method, transaction) {
  const hash = await rpc(method, transaction);
  for (;;) {
    const receipt = await rpc('eth_getTransactionReceipt', hash);
    if (receipt) return receipt;
  }
}

/** What became of a transaction, in the words that both have for it. */
async function outcome(node, receipt) {
  const { status, gasUsed, cumulativeGasUsed, effectiveGasPrice, contractAddress } = receipt;
  const { logs, transactionHash, type } = receipt;
  const accounts = [POOR, BOB, REVERTING, LOGGING, NOBODY, ...VAULTS];
  const of = (method) => Promise.all(accounts.map((account) => node.rpc(method, account, 'latest')));
  const { mint, sourceHash, isSystemTx } = await node.rpc('eth_getTransactionByHash', transactionHash);
  return {
    ...{ status, gasUsed, cumulativeGasUsed, effectiveGasPrice, contractAddress, transactionHash },
    ...{ mint, sourceHash },
    type: type.toLowerCase(),
    // 0x1 in anvil, as in no other node.
    system: [true, '0x1'].includes(isSystemTx),
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
    balances: await of('eth_getBalance'),
    nonces: await of('eth_getTransactionCount'),
  };
}

describe('deposits', () => {
  let nodes;
  before(async () => {
    nodes = await Promise.all([start.anvil(), start.devnet()]);
    for (const { rpc } of nodes) {
      await rpc('anvil_setCode', REVERTING, '0x60006000fd');
      await rpc('anvil_setCode', LOGGING, '0x600560206000a1');
      await rpc('anvil_setBalance', LOGGING, '0x9');
    }
  });
  after(() => Promise.all(nodes.map((node) => node.close())));

  const alike = async (each) => {
    const [anvil, devnet] = [await each(nodes[0]), await each(nodes[1])];
    assert.deepEqual(devnet, anvil);
    return devnet;
  };

  for (const [name, fields] of Object.entries(DEPOSITS))
    it(`one that ${name}`, async () => {
      const raw = rawOf(fields);
      await alike(async (node) => outcome(node, await send(node, 'eth_sendRawTransaction', raw)));
    });

  for (const [name, fields] of Object.entries(REFUSED))
    it(`one that ${name} is refused`, async () => {
      const raw = rawOf(fields);
      for (const { rpc } of nodes) await assert.rejects(rpc('eth_sendRawTransaction', raw));
    });

  it('as an object', async () => {
    const request = { from: POOR, to: BOB, value: '0x1', mint: '0x5', isSystemTx: false };
    const sourceHash = word(++source);
    await alike((node) => node.rpc('eth_call', { ...request, sourceHash }));
    await alike((node) => node.rpc('eth_estimateGas', { ...request, sourceHash }));
    await alike(async (node) =>
      outcome(node, await send(node, 'eth_sendTransaction', { ...request, sourceHash })),
    );
  });

  it('and the fees of others, those of L1 too', async () => {
    const slots = [
      ['0x1', 7_123_456_789n],
      ['0x3', (5_227n << 96n) | (1_014_213n << 64n) | 77n],
      ['0x7', 1_234_567n],
    ];
    const transfer = async (node) => {
      const [from] = await node.rpc('eth_accounts');
      await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00');
      const fees = { maxFeePerGas: '0xb2d05e00', maxPriorityFeePerGas: '0x7', gas: '0x100000' };
      const data = `0x${'00112233445566778899aabbccddeeff'.repeat(9)}${'a7'.repeat(77)}`;
      const receipt = await send(node, 'eth_sendTransaction', { from, to: BOB, value: '0x1', data, ...fees });
      return { ...(await outcome(node, receipt)), left: await node.rpc('eth_getBalance', from, 'latest') };
    };
    const [baseFee, l1Fee] = (await alike(transfer)).balances.slice(-3).map(BigInt);
    assert.ok(baseFee > 0n && l1Fee === 0n);
    for (const { rpc } of nodes)
      for (const [slot, value] of slots) await rpc('anvil_setStorageAt', L1_BLOCK, slot, word(value));
    const more = (await alike(transfer)).balances.slice(-3).map(BigInt);
    assert.ok(more[1] > 0n && more[2] === 0n);
  });

  it('lead a block here; anvil has them by what they pay', async () => {
    for (const { rpc } of nodes) await rpc('evm_setAutomine', false);
    const raw = rawOf({});
    const places = [];
    for (const { rpc } of nodes) {
      const [, from] = await rpc('eth_accounts');
      await rpc('eth_sendTransaction', { from, to: BOB, value: '0x1' });
      const hash = await rpc('eth_sendRawTransaction', raw);
      await rpc('evm_mine');
      const { transactions } = await rpc('eth_getBlockByNumber', 'latest', false);
      places.push(transactions.indexOf(hash));
    }
    assert.deepEqual(places, [1, 0]);
  });
});

/** A block with deposits as both tell it. */
async function read({ rpc }, number) {
  const block = await rpc('eth_getBlockByNumber', number, true);
  const { hash, stateRoot, transactionsRoot, receiptsRoot } = block;
  const receipts = await rpc('eth_getBlockReceipts', number);
  return {
    ...{ hash, stateRoot, transactionsRoot, receiptsRoot },
    transactions: block.transactions.map((one) => [one.hash, one.sourceHash, one.from, one.mint]),
    receipts: receipts.map((one) => [one.status, one.gasUsed, one.depositNonce, one.contractAddress]),
  };
}

for (const [from, to] of [
  ['devnet', 'anvil'],
  ['anvil', 'devnet'],
])
  it(`a state file of ${from} with deposits is loaded by ${to}`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'devnet-suite-'));
    const file = join(dir, 'state.json');
    const first = await start[from]('--dump-state', file);
    const kinds = ['mints and pays', 'is of the system', 'creates a contract'];
    for (const kind of kinds)
      await send(first, 'eth_sendRawTransaction', rawOf({ mint: 1n, ...DEPOSITS[kind] }));
    const numbers = kinds.map((_, index) => `0x${index + 1}`);
    const expected = await Promise.all(numbers.map((number) => read(first, number)));
    await first.close();
    const second = await start[to]('--load-state', file);
    assert.deepEqual(await Promise.all(numbers.map((number) => read(second, number))), expected);
    await send(second, 'eth_sendRawTransaction', rawOf({}));
    await second.close();
    rmSync(dir, { recursive: true });
  });
