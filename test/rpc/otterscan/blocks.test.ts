import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALICE, MODES, startNode, type TestNode } from '../dev/node.ts';
import { initOf } from './programs.ts';

let node: TestNode;
let hashes: string[];

beforeAll(async () => {
  node = await startNode(MODES.manual);
  const from = node.accounts[0];
  hashes = [];
  for (const fields of [
    { data: initOf('00') },
    { to: ALICE, data: '0x11223344556677' },
    { to: ALICE, value: '0x1' },
  ])
    hashes.push(await node.rpc('eth_sendTransaction', { from, gas: '0x186a0', ...fields }));
  await node.rpc('evm_mine');
});
afterAll(() => node.close());

describe('details of a block', () => {
  test('are the block without its transactions, with their number and what was paid', async () => {
    const { transactions, ...block } = await node.block();
    const receipts = await node.rpc('eth_getBlockReceipts', 'latest');
    const paid = receipts.reduce(
      (sum: bigint, { gasUsed, effectiveGasPrice }: Record<string, string>) =>
        sum + BigInt(gasUsed!) * BigInt(effectiveGasPrice!),
      0n,
    );
    const details = {
      block: { ...block, logsBloom: null, transactionCount: 3 },
      issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
      totalFees: `0x${paid.toString(16)}`,
    };
    for (const ref of ['latest', '0x1', 1])
      expect(await node.rpc('ots_getBlockDetails', ref)).toEqual(details);
    expect(await node.rpc('ots_getBlockDetailsByHash', block.hash)).toEqual(details);
  });

  test('of an unknown block are null', async () => {
    expect(await node.rpc('ots_getBlockDetails', '0x999')).toBeNull();
    expect(await node.rpc('ots_getBlockDetailsByHash', `0x${'ab'.repeat(32)}`)).toBeNull();
    expect(await node.rpc('erigon_getHeaderByNumber', '0x999')).toBeNull();
  });

  test('before the merge are with the reward that the coinbase gets', async () => {
    const old = await startNode({ automine: true, hardfork: 'istanbul', coinbase: ALICE });
    const before = await old.balance(ALICE);
    await old.rpc('evm_mine');
    const issued = (await old.balance(ALICE)) - before;
    expect(await old.rpc('ots_getBlockDetails', 'latest')).toMatchObject({
      issuance: { blockReward: `0x${issued.toString(16)}`, issuance: `0x${issued.toString(16)}` },
    });
    await old.close();
  });
});

describe("a page of a block's transactions", () => {
  const page = async (...params: unknown[]) => node.rpc('ots_getBlockTransactions', ...params);

  test('counts from the end of the block, in the order of the block', async () => {
    const ofPage = async (number: number, size: number) =>
      (await page(1, number, size)).fullblock.transactions.map(({ hash }: { hash: string }) => hash);
    expect(await ofPage(0, 2)).toEqual(hashes.slice(1));
    expect(await ofPage(1, 2)).toEqual(hashes.slice(0, 1));
    expect(await ofPage(2, 2)).toEqual([]);
    expect(await ofPage(0, 25)).toEqual(hashes);
  });

  test('tells how many there are in all', async () =>
    expect((await page(1, 0, 1)).fullblock.transactionCount).toBe(3));

  test('has the selector of calldata, and receipts without logs', async () => {
    const { fullblock, receipts } = await page('0x1', 0, 25);
    expect(fullblock.transactions[1].input).toBe('0x11223344');
    expect(fullblock.transactions[2].input).toBe('0x');
    const { timestamp } = await node.block();
    for (const [i, receipt] of receipts.entries())
      expect(receipt).toEqual({
        ...(await node.rpc('eth_getTransactionReceipt', hashes[i])),
        logs: null,
        logsBloom: null,
        timestamp,
      });
  });

  test('of an unknown block is null, and more than a thousand are refused', async () => {
    expect(await page(9, 0, 25)).toBeNull();
    expect(await node.codeOf('ots_getBlockTransactions', 1, 0, 1_001)).toBe(-32000);
    expect(await node.codeOf('ots_getBlockTransactions', 1, -1, 25)).toBe(-32602);
  });
});

test("erigon's header is the block with the hashes of its transactions", async () =>
  expect(await node.rpc('erigon_getHeaderByNumber', 'latest')).toEqual(await node.block()));
