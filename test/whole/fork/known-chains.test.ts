import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replayRecording } from '../../../src/replay/replay-recording.ts';
import { folder, removeFoldersAfterEachTest } from './cache-folder.ts';
import { chain, closeChainsAfterEachTest, encode, forkOf, original } from './chains.ts';

removeFoldersAfterEachTest();
closeChainsAfterEachTest();

describe('a fork of a known chain', () => {
  it('has the hardfork of that chain after the fork block, unless told another one', async () => {
    const one = await original({ chainId: 1, timestamp: 1_715_000_000, hardfork: 'cancun' });
    const record = join(folder(), 'one.jsonl');
    const fork = await forkOf(one, { record });
    expect(fork.node.fork).toMatchObject({ chainName: 'Ethereum', hardfork: 'cancun' });
    expect((await fork.call('anvil_nodeInfo')).hardFork).toBe('Cancun');
    await fork.send({ to: one.token, data: encode('transfer', one.accounts[1], 1n) });
    // EIP-7685 came with Prague.
    expect((await fork.block('latest')).requestsHash).toBeUndefined();
    const { hash } = await fork.block('latest');
    await fork.node.close();
    expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: hash });
    const later = await forkOf(one, { hardfork: 'prague' });
    expect((await later.call('anvil_nodeInfo')).hardFork).toBe('Prague');
    await later.call('evm_mine');
    expect((await later.block('latest')).requestsHash).toMatch(/^0x/);
  });

  it('before the merge has no base fee, where that chain had none', async () => {
    const one = await chain({ chainId: 1, timestamp: 1_620_000_000, hardfork: 'berlin', number: 12_300_000 });
    const fork = await forkOf(one);
    expect((await fork.call('anvil_nodeInfo')).hardFork).toBe('Berlin');
    await fork.send({ to: one.accounts[1], value: '0x1', gasPrice: '0x3b9aca00' });
    expect((await fork.block('latest')).baseFeePerGas).toBeUndefined();
  });

  it('of Arbitrum is refused, with the reason', async () => {
    const one = await original({ chainId: 42161 });
    await expect(forkOf(one)).rejects.toThrow(
      /^can't fork from http:.*: its chain is Arbitrum One \(42161\), whose blocks follow other rules than Ethereum's: its gas /,
    );
  });
});
