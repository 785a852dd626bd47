// State files between anvil and devnet: either begins with the other's chain.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { startAnvil, startDevnet } from './nodes.mjs';

const BOB = '0x0000000000000000000000000000000000000b0b';
const ALICE = '0x00000000000000000000000000000000000a11ce';
const FLAGS = ['--chain-id', '31337', '--timestamp', '1700000000', '--hardfork', 'osaka'];
/** SSTORE(0, 5), LOG1 of nothing with the topic 1 */
const CREATION = '0x6960055f5560015f5fa1005f52600a6016f3';

const start = {
  anvil: (...flags) => startAnvil(...FLAGS, ...flags),
  devnet: (...flags) => startDevnet('--automine', ...FLAGS, ...flags),
};

/** anvil answers a send before the block is there. */
async function send({ rpc }, request) {
  const hash = await rpc('eth_sendTransaction', request);
  for (;;) {
    const receipt = await rpc('eth_getTransactionReceipt', hash);
    if (receipt) return receipt;
  }
}

/** A chain with transactions of each kind that both can send without a key. @returns the contract's address */
async function fill(node) {
  const { rpc } = node;
  const [from] = await rpc('eth_accounts');
  const { contractAddress: to } = await send(node, { from, data: CREATION });
  const fees = { gasPrice: '0xb2d05e00' };
  await send(node, { from, to });
  await send(node, { from, to, ...fees });
  await send(node, { from, to, ...fees, accessList: [{ address: to, storageKeys: [] }] });
  await rpc('anvil_setBalance', ALICE, '0x56bc75e2d63100000');
  await rpc('anvil_impersonateAccount', ALICE);
  await send(node, { from: ALICE, to: BOB, value: '0x5' });
  await send(node, { from: ALICE, to: BOB, value: '0x5', ...fees });
  await rpc('anvil_mine', '0x2');
  await rpc('anvil_setBalance', BOB, '0x77');
  return to;
}

const FIELDS = [
  'hash',
  'parentHash',
  'stateRoot',
  'receiptsRoot',
  'transactionsRoot',
  'timestamp',
  'gasUsed',
];
const of = (names, value) => Object.fromEntries(names.map((name) => [name, value[name]]));

/** What both tell of a chain in the same way. */
async function read({ rpc }, contract) {
  const newest = Number(await rpc('eth_blockNumber'));
  const blocks = [];
  for (let number = 0; number <= newest; number++) {
    const tag = `0x${number.toString(16)}`;
    const block = await rpc('eth_getBlockByNumber', tag, true);
    blocks.push({
      ...of(FIELDS, block),
      // Each has a hash of its own for what an impersonated sender sent.
      transactions: block.transactions.map((transaction) =>
        of(
          [
            ...(transaction.from === ALICE ? [] : ['hash']),
            'from',
            'to',
            'nonce',
            'value',
            'input',
            'type',
            'gasPrice',
          ],
          transaction,
        ),
      ),
      receipts: (await rpc('eth_getBlockReceipts', tag)).map((receipt) =>
        of(['status', 'gasUsed', 'cumulativeGasUsed', 'contractAddress', 'effectiveGasPrice', 'logs'], {
          ...receipt,
          logs: receipt.logs.map((log) => of(['address', 'topics', 'data', 'logIndex', 'blockHash'], log)),
        }),
      ),
    });
  }
  return {
    blocks,
    balances: await Promise.all([ALICE, BOB].map((at) => rpc('eth_getBalance', at, 'latest'))),
    code: await rpc('eth_getCode', contract, 'latest'),
    slot: await rpc('eth_getStorageAt', contract, '0x0', 'latest'),
  };
}

describe('a state file', () => {
  let dir;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'devnet-suite-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  for (const [from, to] of [
    ['devnet', 'anvil'],
    ['anvil', 'devnet'],
  ]) {
    it(`of ${from} is loaded by ${to}, which goes on from it, and by ${from} again`, async () => {
      const file = join(dir, 'state.json');
      const first = await start[from]('--dump-state', file);
      const contract = await fill(first);
      const expected = await read(first, contract);
      await first.close();

      const second = await start[to]('--load-state', file, '--dump-state', file);
      assert.deepEqual(await read(second, contract), expected);
      const [sender] = await second.rpc('eth_accounts');
      const receipt = await send(second, { from: sender, to: contract });
      assert.equal(Number(receipt.blockNumber), expected.blocks.length);
      assert.equal(receipt.status, '0x1');
      const all = await read(second, contract);
      assert.equal(all.blocks.at(-1).parentHash, expected.blocks.at(-1).hash);
      await second.close();

      const third = await start[from]('--load-state', file);
      assert.deepEqual(await read(third, contract), all);
      await third.close();
    });
  }
});
