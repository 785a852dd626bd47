import { JsonRpcProvider, WebSocketProvider } from 'ethers';
import { createPublicClient, http, webSocket } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SystemClock } from '../../src/clock.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { hex } from '../../src/rpc/codec/hex.ts';
import { Dispatcher } from '../../src/rpc/dispatch.ts';
import { RpcServer } from '../../src/server/server.ts';
import {
  bytes,
  FakeChain,
  fakeBlock,
  fakeContext,
  fakeLog,
  fakeState,
  fakeTransaction,
  GWEI,
  SENDER,
} from '../rpc/fake-chain.ts';

const address = SENDER.toString() as `0x${string}`;
const transaction = fakeTransaction({ type: 2, maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: GWEI });
const genesis = fakeBlock(0n, bytes(0));
const block = fakeBlock(
  1n,
  genesis.hash,
  [{ transaction, logs: [fakeLog([bytes(1)])] }],
  {},
  {
    state: fakeState({ [address]: { balance: 5n, nonce: 1n } }),
  },
);
const chain = new FakeChain([genesis, block], fakeBlock(2n, block.hash));
const hash = hex(transaction.hash);

const clock = new SystemClock();
const server = new RpcServer(
  {},
  { dispatcher: new Dispatcher({}, { methods: METHODS, context: fakeContext({ chain }), clock }), clock },
);
let port = 0;
beforeAll(async () => {
  port = (await server.start('127.0.0.1', 0)).port;
});
afterAll(() => server.stop());

describe.each(['http', 'ws'] as const)('over %s', (scheme) => {
  test('viem reads blocks, transactions, receipts, logs and fees', async () => {
    const url = `${scheme}://127.0.0.1:${port}`;
    const transport =
      scheme === 'http' ? http(url, { batch: true }) : webSocket(url, { reconnect: false, keepAlive: false });
    const client = createPublicClient({ transport });
    const [id, balance, pending, tx, receipt, logs, fees] = await Promise.all([
      client.getChainId(),
      client.getBalance({ address }),
      client.getBlock({ blockTag: 'pending' }),
      client.getTransaction({ hash }),
      client.getTransactionReceipt({ hash }),
      client.getLogs({ fromBlock: 0n }),
      client.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] }),
    ]);
    expect({ id, balance }).toEqual({ id: 31337, balance: 5n });
    expect(pending).toMatchObject({ number: 2n, transactions: [] });
    expect(tx).toMatchObject({ blockNumber: 1n, gasPrice: 2n * GWEI, typeHex: '0x2', yParity: 1 });
    expect(receipt).toMatchObject({ status: 'success', logs: [{ logIndex: 0, removed: false }] });
    expect(logs).toHaveLength(1);
    expect(fees.reward).toEqual([[0n], [GWEI]]);
  });

  test('ethers reads blocks, transactions and receipts', async () => {
    const url = `${scheme}://127.0.0.1:${port}`;
    const provider = scheme === 'http' ? new JsonRpcProvider(url) : new WebSocketProvider(url);
    expect(await provider.getBlockNumber()).toBe(1);
    expect(await provider.getBalance(address)).toBe(5n);
    expect(await provider.getBlock('latest')).toMatchObject({ number: 1, hash: hex(block.hash) });
    expect(await provider.getTransaction(hash)).toMatchObject({ hash, blockNumber: 1 });
    expect(await provider.getTransactionReceipt(hash)).toMatchObject({ status: 1 });
    expect(await provider.getFeeData()).toMatchObject({ maxPriorityFeePerGas: GWEI });
    await provider.destroy();
  });
});
