import { JsonRpcProvider } from 'ethers';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  http,
  parseGwei,
  type ReplacementReturnType,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { eventually } from '../eventually.ts';
import { ALICE, KEYS } from './node.ts';
import { PATIENT } from './viem-clients.ts';

/** Clients that wait need a clock that goes on. */
describe('with partial blocks every 200 ms, as by default', () => {
  let node: Devnet;
  let provider: JsonRpcProvider;
  beforeEach(async () => {
    node = await createDevnet({ port: 0 });
    provider = new JsonRpcProvider(node.url!, undefined, { staticNetwork: true, pollingInterval: 50 });
  });
  afterEach(async () => {
    provider.destroy();
    await node.close();
  });

  function viemClients() {
    const options = { chain: foundry, transport: http(node.url!, PATIENT), pollingInterval: 50 };
    return {
      reader: createPublicClient(options),
      tester: createTestClient({ ...options, mode: 'anvil' }),
      wallet: createWalletClient({ ...options, account: privateKeyToAccount(KEYS[1]) }),
    };
  }

  it("a send of ethers' signer is found at its first look, pre-confirmed", async () => {
    const signer = await provider.getSigner(0);
    const asked = vi.spyOn(provider, '_send');
    const sent = await signer.sendTransaction({ to: ALICE, value: 1n });
    const methods = asked.mock.calls.flatMap(([payload]) => [payload].flat().map(({ method }) => method));
    expect(methods.filter((method) => method === 'eth_getTransactionByHash')).toHaveLength(1);
    expect(sent.blockNumber).not.toBeNull();
    expect((await sent.wait())?.status).toBe(1);
  });

  it("a send of ethers' signer behind a nonce gap resolves, and is mined when the gap is filled", async () => {
    const signer = await provider.getSigner(0);
    const later = await signer.sendTransaction({ to: ALICE, value: 1n, gasLimit: 21_000n, nonce: 1 });
    expect(later.blockNumber).toBeNull();
    expect((await provider.getTransaction(later.hash))?.isMined()).toBe(false);
    await signer.sendTransaction({ to: ALICE, value: 1n, nonce: 0 });
    expect((await later.wait())?.status).toBe(1);
  });

  it('viem tells that a waiting transaction was replaced', async () => {
    const { wallet } = viemClients();
    const asked: string[] = [];
    const reader = createPublicClient({
      chain: foundry,
      pollingInterval: 50,
      transport: http(node.url!, {
        ...PATIENT,
        onFetchRequest: async (request) => {
          asked.push(((await request.clone().json()) as { method: string }).method);
        },
      }),
    });
    const nonce = 1;
    const gas = 21_000n;
    const hash = await wallet.sendTransaction({
      to: ALICE,
      value: 1n,
      nonce,
      gas,
      maxFeePerGas: parseGwei('10'),
      maxPriorityFeePerGas: parseGwei('1'),
    });
    expect((await reader.getTransaction({ hash })).blockNumber).toBeNull();
    asked.length = 0;
    let replaced: ReplacementReturnType | undefined;
    const receipt = reader.waitForTransactionReceipt({
      hash,
      onReplaced: (replacement) => {
        replaced = replacement;
      },
    });
    // It has read the transaction, has looked for it in a block, and waits for the next one. One that is replaced before, viem never finds.
    await eventually(() => {
      const looked = asked.indexOf('eth_getBlockByNumber', asked.indexOf('eth_getTransactionByHash'));
      expect(looked).not.toBe(-1);
      expect(asked.slice(looked)).toContain('eth_blockNumber');
    }, 30_000);
    const second = await wallet.sendTransaction({
      to: ALICE,
      value: 1n,
      nonce,
      gas,
      maxFeePerGas: parseGwei('20'),
      maxPriorityFeePerGas: parseGwei('2'),
    });
    await wallet.sendTransaction({ to: ALICE, value: 1n, nonce: 0 });
    expect((await receipt).transactionHash).toBe(second);
    expect(replaced).toMatchObject({ reason: 'repriced', transaction: { hash: second } });
  });

  it('viem finds one that waits for a block on demand', async () => {
    const { reader, tester, wallet } = viemClients();
    await tester.setIntervalMining({ interval: 0 });
    const hash = await wallet.sendTransaction({ to: ALICE, value: 1n });
    expect(await reader.getTransaction({ hash })).toMatchObject({ hash, blockNumber: null, blockHash: null });
    await tester.mine({ blocks: 1 });
    expect((await reader.getTransaction({ hash })).blockNumber).not.toBeNull();
  });
});
