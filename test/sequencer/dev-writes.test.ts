import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '@ethereumjs/util';
import { afterEach, describe, expect, it } from 'vitest';
import type { BlockView } from '../../src/chain/block.ts';
import { NEW_ACCOUNT } from '../../src/state/account.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { startChain, type TestChain } from './start-chain.ts';

const twoSeconds = { blockTime: 2, flashblockInterval: 200 };
const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** What setBalance and setNonce write. */
function change(address: Address, fields: { balance?: bigint; nonce?: bigint }) {
  return async ({ state }: BlockView) => {
    const overlay = new Overlay(state);
    overlay.setAccount(address, { ...((await overlay.getAccount(address)) ?? NEW_ACCOUNT), ...fields });
    return overlay.writes();
  };
}

const balances = (chain: TestChain, who = 0) =>
  Promise.all(
    ['latest', 'pending'].map(async (tag) =>
      BigInt(await chain.call('eth_getBalance', chain.accounts[who], tag)),
    ),
  );

describe('a dev write', () => {
  for (const [mode, options] of Object.entries({ interval: twoSeconds, manual: { noMining: true } })) {
    it(`shows at latest and pending at once, and the header keeps its root (${mode})`, async () => {
      await using chain = await startChain(options);
      const before = await chain.block('latest');
      await chain.sequencer.patch('outside', change(chain.node.accounts[3]!.address, { balance: 42n }));
      expect(await balances(chain, 3)).toEqual([42n, 42n]);
      expect(await chain.block('latest')).toEqual(before);
      await chain.call('evm_mine');
      const { stateRoot } = await chain.block('latest');
      expect(stateRoot).not.toBe(before.stateRoot);
      const { balance } = await chain.call('eth_getProof', chain.accounts[3], [], 'latest');
      expect(BigInt(balance)).toBe(42n);
      expect(await balances(chain, 3)).toEqual([42n, 42n]);
    });
  }

  it('keeps what pre-confirmed transactions changed of the same account', async () => {
    await using chain = await startChain(twoSeconds);
    await chain.send({ from: 0 });
    await chain.clock.advance(200);
    const ether = 10n ** 18n;
    await chain.sequencer.patch('outside', change(chain.node.accounts[0]!.address, { balance: 5n * ether }));
    expect(await balances(chain)).toEqual([5n * ether, 5n * ether]);
    expect(await chain.pendingNonce()).toBe(1n);
    expect(BigInt(await chain.call('eth_getTransactionCount', chain.accounts[0], 'latest'))).toBe(0n);
    await chain.send({ from: 0 });
    await chain.clock.advance(1800);
    expect((await chain.block('latest')).transactions).toHaveLength(2);
  });

  it('is one more index without transactions: the last hash that was published is the sealed one', async () => {
    await using chain = await startChain(twoSeconds);
    await chain.send({ from: 0 });
    await chain.clock.advance(200);
    const before = chain.sequencer.published.at(-1)!;
    await chain.sequencer.patch('outside', change(chain.node.accounts[3]!.address, { balance: 42n }));
    const after = chain.sequencer.published.at(-1)!;
    expect([after.payload, after.index, after.transactions]).toEqual([before.payload, 2, []]);
    expect(after.block.transactions).toEqual(before.block.transactions);
    expect(after.block.hash).not.toEqual(before.block.hash);
    await chain.clock.advance(1799);
    const last = chain.sequencer.published.at(-1)!;
    expect(last.index).toBe(10);
    await chain.clock.advance(1);
    expect((await chain.block('latest')).hash).toBe(`0x${Buffer.from(last.block.hash).toString('hex')}`);
  });

  it('of a nonce drops what waits below it, and says so', async () => {
    await using chain = await startChain(twoSeconds);
    await chain.send({ nonce: 0 });
    const later = await chain.send({ nonce: 5 });
    await chain.sequencer.patch('outside', change(chain.node.accounts[0]!.address, { nonce: 5n }));
    expect(chain.dropped().map(({ reason }) => reason)).toEqual(['nonce too low']);
    await chain.clock.advance(200);
    expect(await chain.receipt(later)).toMatchObject({ status: '0x1' });
    expect(await chain.pendingNonce()).toBe(6n);
  });

  it('survives a restart, before and after the next block', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'devnet-writes-'));
    dirs.push(dataDir);
    const options = { ...twoSeconds, dataDir };
    const first = await startChain(options);
    await first.clock.advance(2000);
    await first.sequencer.patch('outside', change(first.node.accounts[3]!.address, { balance: 42n }));
    await first.close();

    const second = await startChain(options);
    expect(await balances(second, 3)).toEqual([42n, 42n]);
    await second.clock.advance(2000);
    expect(await balances(second, 3)).toEqual([42n, 42n]);
    await second.close();

    const third = await startChain(options);
    expect(BigInt(await third.call('eth_blockNumber'))).toBe(2n);
    expect(await balances(third, 3)).toEqual([42n, 42n]);
    await third.close();
  });
});
