import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ManualClock } from '../../../src/clock.ts';
import type { DevnetOptions } from '../../../src/index.ts';
import { resolveOptions } from '../../../src/options/options.ts';
import { exportChain } from '../../../src/replay/export-chain.ts';
import { replayRecording } from '../../../src/replay/replay-recording.ts';
import { folder, removeFoldersAfterEachTest } from './cache-folder.ts';
import { chain, closeChainsAfterEachTest, encode, forkOf, original, type TestChain } from './chains.ts';
import { closeProxiesAfterEachTest, proxyOf } from './proxy.ts';

closeProxiesAfterEachTest();
removeFoldersAfterEachTest();
closeChainsAfterEachTest();

const FAST = { forkRetries: 0 };

async function setting() {
  const one = await original({ chainId: 77, gasLimit: 11_000_000 });
  const proxy = await proxyOf(one.url);
  const dir = folder();
  const refuse = () => {
    proxy.state.fault = () => ({ status: 403 });
  };
  const transfer = (fork: TestChain, n: number, more: object = {}) =>
    fork.send({ to: one.token, data: encode('transfer', one.accounts[n], 5n), ...more });
  const balance = async (fork: TestChain, n: number, ref = 'latest') =>
    BigInt(await fork.call('eth_call', { to: one.token, data: encode('balanceOf', one.accounts[n]) }, ref));
  return { one, proxy, dir, refuse, transfer, balance };
}

describe('a fork with a data directory', () => {
  it('goes on after a restart, with what it has read, although the other node refuses and its chain has grown', async () => {
    const { one, proxy, dir, refuse, transfer, balance } = await setting();
    const start = (more: DevnetOptions = {}) =>
      forkOf(proxy, { ...FAST, dataDir: join(dir, 'chain'), ...more });
    const first = await start();
    const hash = await transfer(first, 1);
    await first.call('anvil_setBalance', one.token, '0x77');
    await transfer(first, 2);
    const head = await first.block('latest');
    const receipt = await first.receipt(hash);
    await first.node.close();
    await one.call('anvil_mine', '0x5');
    refuse();
    proxy.seen.length = 0;
    const again = await start();
    expect(await again.block('latest')).toEqual(head);
    expect(await again.receipt(hash)).toEqual(receipt);
    expect([await balance(again, 1), await balance(again, 2)]).toEqual([705n, 55n]);
    expect(await balance(again, 1, '0x3')).toBe(700n);
    expect(await again.call('eth_getBalance', one.token)).toBe('0x77');
    expect(await again.call('eth_chainId')).toBe('0x4d');
    expect((await again.call('anvil_nodeInfo')).forkConfig.forkBlockNumber).toBe(3);
    await transfer(again, 1);
    expect(await again.call('eth_blockNumber')).toBe('0x6');
    expect(proxy.seen).toEqual([]);
    await expect(again.call('eth_getCode', `0x${'ab'.repeat(20)}`)).rejects.toMatchObject({ code: -32000 });
    await again.node.close();
    const offline = await start({
      forkOffline: true,
      noForkCache: undefined as never,
      forkCache: join(dir, 'none'),
    });
    expect(await balance(offline, 1)).toBe(710n);
  });

  it('says which block its chain was forked at when it is opened otherwise', async () => {
    const { one, proxy, dir } = await setting();
    const dataDir = join(dir, 'chain');
    await (await forkOf(proxy, { dataDir })).node.close();
    const at = 'its chain was forked at block 3 of chain 77';
    await expect(chain({ dataDir })).rejects.toThrow(
      `${at}: start with --fork-url, or use another directory`,
    );
    await expect(forkOf(proxy, { dataDir, forkBlockNumber: 2 })).rejects.toThrow(`${at}, not at block 2`);
    await expect(forkOf(proxy, { dataDir, forkChainId: 5 })).rejects.toThrow(`${at}, not at`);
    const own = join(dir, 'own');
    await (await chain({ dataDir: own, chainId: 77 })).node.close();
    await expect(forkOf(one, { dataDir: own })).rejects.toThrow('its chain was not forked');
    await expect(
      exportChain(resolveOptions({ dataDir, chainId: 77 }), join(dir, 'out'), { version: 'test' }),
    ).rejects.toThrow('it was forked at block 3 of chain 77, and holds only what differs from that block');
  });

  it('takes a node for its own only where that has the fork block', async () => {
    const { proxy, dir, transfer } = await setting();
    const dataDir = join(dir, 'chain');
    await (await forkOf(proxy, { ...FAST, dataDir })).node.close();
    const other = await original({ chainId: 77, seed: 'another' });
    const again = await forkOf(other, { ...FAST, dataDir });
    await expect(transfer(again, 5)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('and the chain was forked at'),
    });
  });
});

describe('a recording of a fork', () => {
  it('is replayed without the other chain to the same hashes, all modes', async () => {
    for (const mode of [{}, { automine: false, blockTime: 2, flashblockInterval: 200 }] as DevnetOptions[]) {
      const { one, proxy, dir, transfer } = await setting();
      const record = join(dir, 'one.jsonl');
      const fork = await forkOf(proxy, { ...FAST, record, ...mode });
      const clock = fork.node.clock as ManualClock;
      await transfer(fork, 1);
      await fork.call('anvil_setBalance', one.token, '0x77');
      await clock.advance(2000);
      await fork.call('anvil_impersonateAccount', one.token);
      await fork.send({ from: one.token, to: one.accounts[7], value: '0x7', gas: '0x5208' }).catch(() => {});
      // BLOCKHASH of the fork block's parent: PUSH1 2, BLOCKHASH, PUSH0, SSTORE.
      await fork.send({ data: '0x6002405f55' });
      await transfer(fork, 6);
      await clock.advance(2000);
      const { hash } = await fork.block('latest');
      await fork.node.close();
      proxy.state.fault = () => 'hang up';
      const elsewhere = join(dir, 'elsewhere.jsonl');
      copyFileSync(record, elsewhere);
      for (const engine of ['fast', 'ethereumjs', 'shadow'] as const)
        expect(await replayRecording(elsewhere, { engine }), engine).toMatchObject({
          pass: true,
          lastblockhash: hash,
          stopped: true,
        });
      const text = readFileSync(record, 'utf8');
      expect(text).toMatch(/"read":\{"method":"eth_getStorageAt"/);
      expect(text.split('\n')[0]).toMatch(/"forked":\{"chainId":"77","number":"3","hash":"0x/);
      // Without one of the lines the replay says so, and asks nobody.
      const lines = text.split('\n');
      const slot = lines.findIndex((line) => line.includes('"eth_getStorageAt"'));
      writeFileSync(elsewhere, lines.filter((_, i) => i !== slot).join('\n'));
      expect((await replayRecording(elsewhere)).pass).toBe(false);
      expect(await replayRecording(record, { update: true })).toMatchObject({ updated: true });
      expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: hash });
    }
  });

  it('can begin late, and go on after a restart with a data directory', async () => {
    const { proxy, dir, transfer } = await setting();
    const late = join(dir, 'late.jsonl');
    const fork = await forkOf(proxy, FAST);
    await transfer(fork, 1);
    await fork.call('devnet_startRecording', late);
    await transfer(fork, 2);
    const { hash } = await fork.block('latest');
    await fork.node.close();
    expect(await replayRecording(late)).toMatchObject({ pass: true, lastblockhash: hash });

    const record = join(dir, 'restarted.jsonl');
    const dataDir = join(dir, 'chain');
    for (const n of [1, 2]) {
      const kept = await forkOf(proxy, { ...FAST, dataDir, record });
      await transfer(kept, n);
      await kept.node.close();
    }
    for (const engine of ['fast', 'ethereumjs'] as const)
      expect(await replayRecording(record, { engine })).toMatchObject({
        pass: true,
        blocks: 2,
        transactions: 2,
      });
    expect(existsSync(join(dataDir, 'fork.jsonl'))).toBe(true);
  });
});
