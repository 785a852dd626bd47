import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClient, http } from 'viem';
import { foundry } from 'viem/chains';
import { describe, expect, it } from 'vitest';
import { chain, closeChainsAfterEachTest, encode, forkOf, hex, original } from './chains.ts';
import { closeProxiesAfterEachTest, proxyOf } from './proxy.ts';

closeProxiesAfterEachTest();

closeChainsAfterEachTest();

describe('a reset', () => {
  it("begins anew at a block of the other chain, as viem's test client asks for it", async () => {
    const one = await original({ chainId: 77 });
    const fork = await forkOf(one);
    const client = createTestClient({ mode: 'anvil', chain: foundry, transport: http(fork.url) });
    const balance = async (n: number) =>
      BigInt(await fork.call('eth_call', { to: one.token, data: encode('balanceOf', one.accounts[n]) }));
    await fork.send({ to: one.token, data: encode('transfer', one.accounts[1], 1n) });
    await fork.call('anvil_setBalance', one.token, '0x5');
    const waiting = await fork.send({ to: one.token, data: '0x', nonce: '0x60' });
    const snapshot = await fork.call('evm_snapshot');
    const { instanceId } = await fork.call('anvil_metadata');

    await client.reset({ jsonRpcUrl: one.url, blockNumber: 2n });
    expect(await fork.call('eth_blockNumber')).toBe('0x2');
    expect([await balance(1), await balance(2)]).toEqual([700n, 0n]);
    expect(await fork.call('eth_getBalance', one.token, 'latest')).toBe('0x0');
    expect(await fork.call('eth_getTransactionByHash', waiting)).toBeNull();
    expect(await fork.call('evm_revert', snapshot)).toBe(false);
    const metadata = await fork.call('anvil_metadata');
    expect(metadata.instanceId).not.toBe(instanceId);
    expect(metadata).toMatchObject({ chainId: 77, forkedNetwork: { forkBlockNumber: 2 } });
    await fork.send({ to: one.token, data: encode('transfer', one.accounts[1], 1n) });
    expect(await fork.call('eth_blockNumber')).toBe('0x3');
    expect(await balance(1)).toBe(701n);

    // Without a block: the newest, of the same node.
    await fork.call('hardhat_reset', { forking: {} });
    expect(await fork.call('eth_blockNumber')).toBe('0x3');
    expect(await fork.block('latest')).toEqual(await one.block('latest'));
    expect([await balance(1), await balance(2)]).toEqual([700n, 50n]);
    // Not tagged, as anvil takes it too; further on than before.
    await one.call('anvil_mine', '0x5');
    await fork.call('anvil_reset', { jsonRpcUrl: `${one.url}@7` });
    expect(await fork.call('eth_blockNumber')).toBe('0x7');
    expect(await fork.call('eth_getBlockByNumber', '0x3', false)).toEqual(await one.block('0x3'));
  });

  it('ends forking where it names none, and begins it where there was none', async () => {
    const one = await original({ gasLimit: 11_000_000, chainId: 77 });
    const node = await chain();
    const own = await node.block('latest');
    await node.call('evm_mine');
    await expect(node.call('anvil_reset', { forking: { blockNumber: 1 } })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(node.call('anvil_setRpcUrl', one.url)).rejects.toMatchObject({ code: -32000 });

    await node.call('anvil_reset', { forking: { jsonRpcUrl: one.url } });
    expect(await node.call('eth_chainId')).toBe(hex(77));
    const hash = await node.send({ to: one.token, data: encode('transfer', one.accounts[1], 5n) });
    expect(await node.receipt(hash)).toMatchObject({ status: '0x1', blockNumber: '0x4' });
    expect((await node.block('latest')).gasLimit).toBe(hex(11_000_000));
    expect((await node.call('anvil_nodeInfo')).forkConfig.forkBlockNumber).toBe(3);
    expect(await node.call('eth_getTransactionReceipt', one.sent[0])).toEqual(
      await one.receipt(one.sent[0]!),
    );

    await node.call('anvil_reset');
    expect(await node.call('eth_blockNumber')).toBe('0x0');
    expect(await node.call('eth_chainId')).toBe(hex(31337));
    expect(await node.block('latest')).toMatchObject({ stateRoot: own.stateRoot, gasLimit: own.gasLimit });
    expect(await node.call('eth_getCode', one.token, 'latest')).toBe('0x');
    expect(await node.call('eth_getTransactionReceipt', one.sent[0])).toBeNull();
    expect((await node.call('anvil_nodeInfo')).forkConfig.forkUrl).toBeNull();
    await node.send({ to: node.accounts[1], value: '0x1' });
    expect(await node.call('eth_blockNumber')).toBe('0x1');
    await node.call('anvil_reset', { forking: null });
    expect(await node.call('eth_blockNumber')).toBe('0x0');
  });

  it('that fails leaves all as it was', async () => {
    const one = await original();
    const fork = await forkOf(one);
    await fork.send({ to: one.token, data: encode('transfer', one.accounts[1], 5n) });
    const head = await fork.block('latest');
    const refusals: [object, number][] = [
      [{ jsonRpcUrl: 'ftp://a' }, -32602],
      [{ jsonRpcUrl: one.url, blockNumber: 99 }, -32602],
    ];
    for (const [forking, code] of refusals)
      await expect(fork.call('anvil_reset', { forking })).rejects.toMatchObject({ code });
    const proxy = await proxyOf(one.url);
    proxy.state.fault = (methods) => (methods.includes('eth_getCode') ? { status: 403 } : undefined);
    await expect(fork.call('anvil_reset', { forking: { jsonRpcUrl: proxy.url } })).rejects.toMatchObject({
      code: -32000,
    });
    expect(await fork.block('latest')).toEqual(head);
    expect((await fork.call('anvil_nodeInfo')).forkConfig.forkUrl).toBe(one.url);
  });

  it('of a chain that is kept or recorded is refused', async () => {
    const one = await original();
    const dir = mkdtempSync(join(tmpdir(), 'devnet-fork-'));
    try {
      for (const options of [{ dataDir: join(dir, 'data') }, { record: join(dir, 'one.jsonl') }]) {
        const node = await chain(options);
        await expect(node.call('anvil_reset', { forking: { jsonRpcUrl: one.url } })).rejects.toMatchObject({
          code: -32000,
          message: expect.stringMatching(Object.keys(options)[0]!),
        });
        await node.node.close();
      }
      const node = await chain();
      await node.call('devnet_startRecording', join(dir, 'two.jsonl'));
      const forking = { jsonRpcUrl: one.url };
      await expect(node.call('anvil_reset', { forking })).rejects.toMatchObject({ code: -32000 });
      await node.call('devnet_stopRecording');
      await node.call('anvil_reset', { forking });
      await expect(node.call('devnet_startRecording', join(dir, 'three.jsonl'))).rejects.toMatchObject({
        code: -32000,
      });
      const fork = await forkOf(one);
      await fork.call('devnet_startRecording', join(dir, 'four.jsonl'));
      await expect(fork.call('anvil_reset', { forking })).rejects.toMatchObject({ code: -32000 });
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('anvil_setRpcUrl reads from another node of the same chain', async () => {
    const one = await original();
    const [first, second] = [await proxyOf(one.url), await proxyOf(one.url)];
    const fork = await forkOf(first);
    await fork.call('anvil_setRpcUrl', second.url);
    const asked = first.seen.length;
    await fork.call('eth_getCode', one.token, 'latest');
    expect(first.seen.length).toBe(asked);
    expect(second.asked()).toContain('eth_getCode');
    expect((await fork.call('anvil_nodeInfo')).forkConfig.forkUrl).toBe(second.url);
    await expect(fork.call('anvil_setRpcUrl', 'nonsense')).rejects.toMatchObject({ code: -32602 });
  });

  it('is seen whole by subscribers and in flashblock mode', async () => {
    const one = await original();
    const fork = await forkOf(one, { automine: false, blockTime: 2, flashblockInterval: 200 });
    await fork.send({ to: one.token, data: encode('transfer', one.accounts[1], 5n) });
    await fork.call('devnet_tick', 200);
    expect((await fork.block('pending')).transactions).toHaveLength(1);
    await fork.call('anvil_reset', { forking: { jsonRpcUrl: one.url, blockNumber: 1 } });
    expect(await fork.block('pending')).toMatchObject({ number: '0x2', transactions: [] });
    const [, second] = fork.accounts;
    const hash = await fork.send({ from: second, to: one.accounts[2], value: '0x1' });
    await fork.call('devnet_tick', 4000);
    expect(await fork.receipt(hash)).toMatchObject({ blockNumber: '0x2', status: '0x1' });
  });
});
