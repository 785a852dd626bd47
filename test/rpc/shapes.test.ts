import { createWalletClient, custom, defineChain, type Hex, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RESULTS, shapeProblem } from '../../scripts/conformance/shapes.mjs';
import { KEYS } from '../clients/node.ts';
import { startKitchen } from './devnet.ts';

const BLOB_HASH = `0x01${'ab'.repeat(31)}`;
const SLOT = `0x${'0'.repeat(64)}`;

describe('results have the shapes of the execution-apis schemas', () => {
  let kitchen: Awaited<ReturnType<typeof startKitchen>>;
  let hashes: readonly Hex[];

  /** Calls, and fails where the result breaks its schema. */
  async function ask(method: string, ...params: unknown[]) {
    expect(RESULTS).toHaveProperty(method);
    const result = await kitchen.rpc(method, ...params);
    expect(shapeProblem(method, result), `${method} ${JSON.stringify(params)}`).toBeUndefined();
    return result;
  }

  /** One transaction of each type that can be sent without blobs; and a creation and a revert. */
  async function sendEachType(): Promise<Hex[]> {
    const { node, to } = kitchen;
    const account = privateKeyToAccount(KEYS[1]);
    const chain = defineChain({
      id: 31337,
      name: 'devnet',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [] } },
    });
    const wallet = createWalletClient({ account, chain, transport: custom(node.provider) });
    const gas = 200_000n;
    const gasPrice = parseGwei('50');
    const authorization = await wallet.signAuthorization({ account, contractAddress: to, executor: 'self' });
    const before = await kitchen.rpc('eth_getTransactionCount', account.address, 'pending');
    const next = Number(before);
    return [
      await wallet.sendTransaction({ to, value: 1n, gas, gasPrice, type: 'legacy', nonce: next }),
      await wallet.sendTransaction({
        to,
        gas,
        gasPrice,
        nonce: next + 1,
        type: 'eip2930',
        accessList: [{ address: to, storageKeys: [SLOT as Hex] }],
      }),
      await wallet.sendTransaction({ data: '0x602a60006000a1', gas, nonce: next + 2, type: 'eip1559' }),
      await wallet.sendTransaction({
        to: account.address,
        gas,
        nonce: next + 3,
        authorizationList: [{ ...authorization, nonce: next + 4 }],
        type: 'eip7702',
      }),
    ];
  }

  beforeAll(async () => {
    kitchen = await startKitchen();
    hashes = await sendEachType();
  });
  afterAll(() => kitchen.node.close());

  test('of transactions that wait', async () => {
    const { accounts } = kitchen.node;
    // Behind a gap, so that it stays.
    await kitchen.send({ from: accounts[3]!.address.toString(), to: kitchen.to, nonce: '0x9', value: '0x1' });
    const { pending, queued } = await ask('txpool_content');
    expect(Object.keys(pending).length + Object.keys(queued).length).toBeGreaterThan(0);
    await ask('txpool_status');
  });

  // In this order: pre-confirmed first, then sealed.
  describe.each(['pending', 'latest'])('at %s', (tag) => {
    beforeAll(() => (tag === 'pending' ? kitchen.preconfirm() : kitchen.seal()));

    test('blocks, transactions of each type, receipts, logs', async () => {
      const full = await ask('eth_getBlockByNumber', tag, true);
      expect(full.transactions.map(({ type }: { type: string }) => type)).toEqual([
        '0x0',
        '0x1',
        '0x2',
        '0x4',
      ]);
      const { hash } = await ask('eth_getBlockByNumber', tag, false);
      if (tag === 'latest') await ask('eth_getBlockByHash', hash, true);
      const receipts = await ask('eth_getBlockReceipts', tag);
      expect(receipts).toHaveLength(4);
      await ask('eth_getBlockTransactionCountByNumber', tag);
      await ask('eth_getTransactionByBlockNumberAndIndex', tag, '0x1');
      for (const hash of hashes) {
        expect(await ask('eth_getTransactionByHash', hash)).toHaveProperty('blockNumber', full.number);
        expect(await ask('eth_getTransactionReceipt', hash)).not.toBeNull();
      }
      expect(await ask('eth_getLogs', { fromBlock: tag, toBlock: tag })).not.toHaveLength(0);
      expect(await ask('eth_getTransactionByHash', SLOT)).toBeNull();
      expect(await ask('eth_getTransactionReceipt', SLOT)).toBeNull();
    });

    test('state', async () => {
      const { to, from } = kitchen;
      await ask('eth_getBalance', from, tag);
      await ask('eth_getTransactionCount', from, tag);
      await ask('eth_getCode', to, tag);
      await ask('eth_getStorageAt', to, '0x0', tag);
      await ask('eth_getStorageValues', { [to]: [SLOT] }, tag);
      const proof = await ask('eth_getProof', to, ['0x0', SLOT], 'latest');
      expect(proof.accountProof).not.toHaveLength(0);
      await ask('eth_getProof', `0x${'de'.repeat(20)}`, [], 'latest');
    });

    test('calls, estimates, access lists', async () => {
      const { to, from } = kitchen;
      await ask('eth_call', { from, to, data: '0x' }, tag).catch(({ code }) => expect(code).toBe(3));
      await ask('eth_estimateGas', { from, to: from, value: '0x1' }, tag);
      const reads = { [to]: { code: '0x60075460005260206000f3' } };
      const { accessList } = await ask('eth_createAccessList', { from, to }, tag, reads);
      expect(accessList).toHaveLength(1);
      const reverts = { [to]: { code: '0x60006000fd' } };
      expect(await ask('eth_createAccessList', { from, to }, tag, reverts)).toHaveProperty('error');
    });

    test('fees', async () => {
      const { reward } = await ask('eth_feeHistory', '0x4', tag, [10, 50]);
      expect(reward).not.toHaveLength(0);
      await ask('eth_feeHistory', '0x4', tag, []);
      for (const method of ['eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_blobBaseFee', 'eth_baseFee'])
        await ask(method);
    });

    test('simulated blocks, with transactions of each type', async () => {
      const { to, from } = kitchen;
      const [first, second] = await ask(
        'eth_simulateV1',
        {
          blockStateCalls: [
            {
              blockOverrides: {
                withdrawals: [{ index: '0x0', validatorIndex: '0x0', address: to, amount: '0x1' }],
              },
              stateOverrides: { [to]: { code: '0x602a60006000a1' } },
              calls: [
                { from, to, gasPrice: '0x0' },
                { from, to, gasPrice: '0x0', accessList: [] },
                { from, to, value: '0x1' },
                { from, to, blobVersionedHashes: [BLOB_HASH] },
                { from, to: from, data: '0x00' },
              ],
            },
            { calls: [{ from, to, data: '0x12345678' }], stateOverrides: { [to]: { code: '0x60006000fd' } } },
          ],
          traceTransfers: true,
          returnFullTransactions: true,
        },
        tag,
      );
      expect(first.calls[0].logs).not.toHaveLength(0);
      expect(second.calls[0]).toHaveProperty('error');
    });
  });

  test('of the node itself', async () => {
    for (const method of ['eth_syncing', 'eth_chainId', 'eth_blockNumber', 'eth_capabilities', 'net_version'])
      await ask(method);
  });
});

describe('a shape', () => {
  test.each([
    ['eth_getBalance', '0x00', 'result: not a quantity'],
    ['eth_getBalance', null, 'result: not a quantity'],
    ['eth_getCode', '0xABCD', 'result: not bytes'],
    ['txpool_status', { pending: '0x0' }, 'result.queued: missing'],
    ['txpool_status', { pending: '0x0', queued: '0x0', more: 1 }, 'result.more: not in the schema'],
    ['eth_getLogs', [{}], 'result.0.address: missing'],
    ['eth_getTransactionByHash', { type: '0x9' }, /not a transaction of a known type/],
  ])('of %s tells what is wrong', (method, result, problem) => {
    expect(shapeProblem(method, result)).toMatch(problem);
  });
});
