import { describe, expect, it } from 'vitest';
import { GENESIS, startChain, type TestChain } from './start-chain.ts';

/** seconds since the genesis block */
const timeOf = async ({ call }: TestChain, tag = 'latest') =>
  Number(BigInt((await call('eth_getBlockByNumber', tag, false)).timestamp) - GENESIS);
const quickSends = async (chain: TestChain, count: number) => {
  for (let i = 0; i < count; i++) await chain.send();
};
/** How far the head moves, seconds. */
async function moves(chain: TestChain, make: () => Promise<unknown>): Promise<number> {
  const before = await timeOf(chain);
  await make();
  return (await timeOf(chain)) - before;
}
const mine = (chain: TestChain) => () => chain.call('evm_mine');

describe('after blocks that were pushed past their parents', () => {
  it('evm_increaseTime counts from the head, and its total has the pushes in', async () => {
    await using chain = await startChain({ automine: true });
    await quickSends(chain, 20);
    expect(await chain.call('evm_increaseTime', 1000)).toBe(1020);
    expect(await timeOf(chain, 'pending')).toBe(1020);
    expect(await moves(chain, mine(chain))).toBe(1000);
    await quickSends(chain, 20);
    expect(await chain.call('evm_increaseTime', 5)).toBe(1045);
    expect(await moves(chain, () => chain.send())).toBe(5);
  });

  it('chain time stays ahead of the clock, and goes on as fast', async () => {
    await using chain = await startChain({ automine: true });
    await quickSends(chain, 20);
    await chain.clock.advance(100_000);
    expect(await moves(chain, mine(chain))).toBe(100);
  });

  it('reads of pending and transactions that make no block move nothing', async () => {
    await using chain = await startChain({ automine: true });
    await quickSends(chain, 3);
    for (let i = 0; i < 3; i++) expect(await timeOf(chain, 'pending')).toBe(4);
    await expect(chain.send({ gas: 1n })).rejects.toMatchObject({ code: -32003 });
    // Waits for the nonce before it.
    await chain.send({ from: 1, nonce: 1 });
    expect(await chain.call('eth_blockNumber')).toBe('0x3');
    expect(await chain.call('evm_increaseTime', 10)).toBe(13);
    expect(await moves(chain, mine(chain))).toBe(10);
  });

  it('a revert puts chain time back to that of the snapshot', async () => {
    await using chain = await startChain({ automine: true });
    await quickSends(chain, 3);
    const snapshot = await chain.call('evm_snapshot');
    await chain.call('evm_increaseTime', 500);
    await quickSends(chain, 10);
    expect(await chain.call('evm_revert', snapshot)).toBe(true);
    expect(await timeOf(chain, 'pending')).toBe(4);
    expect(await chain.call('evm_increaseTime', 10)).toBe(13);
    expect(await moves(chain, mine(chain))).toBe(10);
  });

  it('evm_setTime answers how far it is from the head', async () => {
    await using chain = await startChain({ automine: true });
    await quickSends(chain, 20);
    expect(await chain.call('evm_setTime', Number(GENESIS) + 120)).toBe(100);
    expect(await moves(chain, mine(chain))).toBe(100);
    await quickSends(chain, 5);
    await chain.call('evm_increaseTime', 10);
    expect(await moves(chain, mine(chain))).toBe(10);
  });

  it('what is increased after time was set to before the head counts from the head', async () => {
    await using chain = await startChain({ automine: true });
    await quickSends(chain, 20);
    await chain.call('evm_setTime', Number(GENESIS) + 2);
    await chain.call('evm_increaseTime', 10);
    expect(await moves(chain, mine(chain))).toBe(10);
  });

  it('time goes on from the last block that a timestamp interval made', async () => {
    await using chain = await startChain({ automine: true });
    await chain.call('anvil_setBlockTimestampInterval', 100);
    await quickSends(chain, 3);
    await chain.call('anvil_removeBlockTimestampInterval');
    await chain.clock.advance(4000);
    expect(await timeOf(chain, 'pending')).toBe(304);
    await chain.call('evm_increaseTime', 10);
    expect(await moves(chain, mine(chain))).toBe(14);
  });

  it('hardhat_mine takes chain time with it, however many blocks are stored at once', async () => {
    await using chain = await startChain({ automine: true });
    await chain.call('hardhat_mine', '0x1f4');
    expect(await timeOf(chain)).toBe(500);
    expect(await chain.call('evm_increaseTime', 10)).toBe(510);
    expect(await moves(chain, mine(chain))).toBe(10);
  });

  it('automine counts from a head that interval mode sealed before its time', async () => {
    await using chain = await startChain({ blockTime: 12 });
    await chain.call('evm_mine');
    await chain.call('evm_setAutomine', true);
    await chain.call('evm_increaseTime', 5);
    expect(await moves(chain, mine(chain))).toBe(5);
  });
});

describe('with equal timestamps allowed', () => {
  it('nothing is pushed, and evm_increaseTime still counts from the head', async () => {
    await using chain = await startChain({ automine: true, allowEqualTimestamps: true });
    await quickSends(chain, 20);
    expect(await timeOf(chain)).toBe(0);
    expect(await chain.call('evm_increaseTime', 5)).toBe(5);
    expect(await moves(chain, mine(chain))).toBe(5);
  });
});

describe('blocks on schedule', () => {
  it('are not pushed, and go on in step with the clock', async () => {
    await using chain = await startChain({ blockTime: 2 });
    await chain.clock.advance(20_000);
    expect(await timeOf(chain)).toBe(20);
    expect(await chain.call('evm_increaseTime', 5)).toBe(5);
  });

  it('after blocks that were mined before their time, keep their distance', async () => {
    await using chain = await startChain({ blockTime: 2 });
    for (let i = 0; i < 10; i++) await chain.call('evm_mine');
    expect(await timeOf(chain)).toBe(11);
    expect(await chain.call('evm_increaseTime', 100)).toBe(109);
    expect(await timeOf(chain, 'pending')).toBe(111);
    await chain.clock.advance(4000);
    expect(await timeOf(chain)).toBe(113);
  });

  it('an increase while the open block has transactions counts from that block', async () => {
    await using chain = await startChain({ blockTime: 2 });
    for (let i = 0; i < 10; i++) await chain.call('evm_mine');
    await chain.send();
    await chain.clock.advance(200);
    await chain.call('evm_increaseTime', 100);
    await chain.clock.advance(1800);
    expect(await timeOf(chain)).toBe(12);
    await chain.clock.advance(2000);
    expect(await timeOf(chain)).toBe(12 + 2 + 100);
  });
});
