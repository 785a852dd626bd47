import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../fuzz.ts';
import { codeOf } from '../../wire.ts';
import { GENESIS, GWEI, startChain } from '../start-chain.ts';

describe('automine', () => {
  it('seals before the send is answered: the receipt is there at once', async () => {
    await using chain = await startChain({ automine: true });
    const hash = await chain.send();
    expect(await chain.receipt(hash)).toMatchObject({ blockNumber: '0x1', status: '0x1' });
    expect((await chain.block('latest')).transactions).toEqual([hash]);
  });

  it('50 concurrent sends get a block each', async () => {
    await using chain = await startChain({ automine: true });
    const hashes = await Promise.all([...Array(50).keys()].map((nonce) => chain.send({ nonce })));
    const receipts = await Promise.all(hashes.map((hash) => chain.receipt(hash)));
    expect(receipts.map(({ blockNumber }) => Number(blockNumber))).toEqual(
      [...Array(50).keys()].map((nonce) => nonce + 1),
    );
    expect(await chain.pendingNonce()).toBe(50n);
  });

  it('50 concurrent sends that leave the nonce to the node get a nonce each', async () => {
    await using chain = await startChain({ automine: true });
    const hashes = await Promise.all([...Array(50).keys()].map(() => chain.send()));
    expect(new Set(hashes).size).toBe(50);
    expect(await chain.pendingNonce()).toBe(50n);
  });

  it('a transaction behind a nonce gap waits; when the gap closes both are mined in one block', async () => {
    await using chain = await startChain({ automine: true });
    const second = await chain.send({ nonce: 1 });
    expect(await chain.receipt(second)).toBeNull();
    expect(await chain.call('eth_getTransactionByHash', second)).toMatchObject({ blockNumber: null });
    const first = await chain.send({ nonce: 0 });
    expect((await chain.receipt(first)).blockNumber).toBe('0x1');
    expect((await chain.receipt(second)).blockNumber).toBe('0x1');
  });

  it('a fee cap that the block made for it would not take is refused, for the fee would never fall', async () => {
    await using chain = await startChain({ automine: true, baseFee: 10n * GWEI });
    expect(await codeOf(chain.send({ cap: 8n * GWEI }))).toBe(-32003);
    expect(await chain.pendingNonce()).toBe(0n);
    const hash = await chain.send({ cap: 9n * GWEI });
    expect(await chain.receipt(hash)).toMatchObject({ blockNumber: '0x1', status: '0x1' });
  });

  it('makes no empty blocks by itself, and goes to the stream as indexes 0 and 1', async () => {
    await using chain = await startChain({ automine: true });
    await chain.clock.advance(60_000);
    expect(chain.seen).toEqual([]);
    await chain.send();
    expect(chain.seen.map(({ kind }) => kind)).toEqual(['flashblock', 'flashblock', 'sealed']);
    expect(chain.flashblocks().map((part) => [part.index, part.transactions.length])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('timestamps follow the clock, and stay after the parent', async () => {
    await using chain = await startChain({ automine: true });
    const times: bigint[] = [];
    for (const ms of [10_000, 0, 0, 5_000]) {
      await chain.clock.advance(ms);
      await chain.send();
      times.push(BigInt((await chain.block('latest')).timestamp) - GENESIS);
    }
    expect(times).toEqual([10n, 11n, 12n, 17n]);
  });
});

describe('a look at the pending block', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant(['send'] as const) },
    fc.integer({ min: 0, max: 3000 }).map((ms) => ['wait', ms] as const),
    fc.constant(['call', 'evm_mine'] as const),
    fc.constant(['call', 'anvil_setBalance', `0x${'7e'.repeat(20)}`, '0x5'] as const),
    fc.constant(['call', 'anvil_setCoinbase', `0x${'7c'.repeat(20)}`] as const),
    fc.constant(['call', 'anvil_setNextBlockBaseFeePerGas', '0x77'] as const),
    fc.constant(['call', 'evm_increaseTime', '0x9'] as const),
    fc.constant(['call', 'evm_setPrevRandao', `0x${'12'.repeat(32)}`] as const),
    fc.constant(['call', 'anvil_rollback', '0x1'] as const),
  );
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

  async function hashesOf(steps: readonly Step[], look: boolean): Promise<string[]> {
    await using chain = await startChain({ automine: true });
    for (const [kind, ...rest] of steps) {
      if (look) await chain.block('pending');
      if (kind === 'send') await chain.send();
      else if (kind === 'wait') await chain.clock.advance(rest[0] as number);
      else await chain.call(...(rest as [string, ...string[]])).catch(() => {});
    }
    const head = Number(await chain.call('eth_blockNumber'));
    const numbers = Array.from({ length: head + 1 }, (_, i) => `0x${i.toString(16)}`);
    return Promise.all(numbers.map(async (number) => (await chain.block(number)).hash));
  }

  it('changes none of the blocks that follow', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        expect(await hashesOf(steps, true)).toEqual(await hashesOf(steps, false));
      }),
      { numRuns: runs(15) },
    );
  });
});

describe('manual mode', () => {
  it('evm_mine takes all that waits', async () => {
    await using chain = await startChain({ noMining: true });
    const hashes = [await chain.send(), await chain.send(), await chain.send({ from: 1 })];
    await chain.clock.advance(60_000);
    expect(BigInt(await chain.call('eth_blockNumber'))).toBe(0n);
    await chain.call('evm_mine');
    expect((await chain.block('latest')).transactions).toEqual(hashes);
  });

  it('pending holds all that one sender has waiting', async () => {
    await using chain = await startChain({ noMining: true });
    const sent = [];
    for (let nonce = 0; nonce < 5; nonce++) sent.push(await chain.send({ nonce }));
    expect((await chain.block('pending')).transactions).toEqual(sent);
  });

  it('pending shows what waits and is built anew when a transaction comes, is replaced or is dropped', async () => {
    await using chain = await startChain({ noMining: true });
    const pending = async () => (await chain.block('pending')).transactions as string[];
    expect(await pending()).toEqual([]);
    const first = await chain.send({ nonce: 0 });
    expect(await pending()).toEqual([first]);
    const replaced = await chain.send({ nonce: 0, tip: 2n * GWEI, cap: 20n * GWEI });
    expect(await pending()).toEqual([replaced]);
    expect(await chain.call('anvil_dropTransaction', replaced)).toBe(replaced);
    expect(await pending()).toEqual([]);
    expect(BigInt((await chain.block('pending')).number)).toBe(1n);
    expect(BigInt(await chain.call('eth_getBalance', chain.accounts[0], 'pending'))).toBe(10n ** 22n);
  });

  it('a queued transaction has no receipt and is found by hash', async () => {
    await using chain = await startChain({ noMining: true });
    const hash = await chain.send();
    expect(await chain.receipt(hash)).toBeNull();
    expect(await chain.call('eth_getTransactionByHash', hash)).toMatchObject({ hash, blockNumber: null });
  });
});

describe('mixed mode', () => {
  const options = { mixedMining: true, blockTime: 2, flashblockInterval: 200 };

  it('seals each send at once, and a block at each block time', async () => {
    await using chain = await startChain(options);
    const hash = await chain.send();
    expect((await chain.receipt(hash)).blockNumber).toBe('0x1');
    await chain.clock.advance(2000);
    expect(BigInt(await chain.call('eth_blockNumber'))).toBe(2n);
  });

  it('a send adds one index to the stream, and the block after it begins at 0', async () => {
    await using chain = await startChain(options);
    await chain.send();
    await chain.send();
    expect(chain.flashblocks().map(({ payload, index }) => `${payload}/${index}`)).toEqual([
      '1/0',
      '1/1',
      '2/0',
      '2/1',
      '3/0',
    ]);
  });
});

describe('modes switched at run time', () => {
  it('pre-confirmed transactions are sealed by the switch', async () => {
    await using chain = await startChain({ blockTime: 2, flashblockInterval: 200 });
    const hash = await chain.send();
    await chain.clock.advance(200);
    await chain.call('evm_setAutomine', true);
    expect((await chain.receipt(hash)).blockHash).toBe((await chain.block('latest')).hash);
    const next = await chain.send();
    expect((await chain.receipt(next)).blockNumber).toBe('0x2');
    await chain.clock.advance(10_000);
    expect(BigInt(await chain.call('eth_blockNumber'))).toBe(2n);
  });

  it('an open block without transactions is dropped; what waits stays', async () => {
    await using chain = await startChain({ blockTime: 2, flashblockInterval: 200 });
    const hash = await chain.send();
    await chain.sequencer.setMode('outside', { kind: 'manual' });
    expect(BigInt(await chain.call('eth_blockNumber'))).toBe(0n);
    expect((await chain.block('pending')).transactions).toEqual([hash]);
    await chain.sequencer.setMode('outside', { kind: 'interval', blockTime: 1000, flashblockInterval: 250 });
    await chain.clock.advance(250);
    expect((await chain.receipt(hash)).blockNumber).toBe('0x1');
  });

  it('what was set for the block that the switch seals is not set for the one after', async () => {
    await using chain = await startChain({ blockTime: 2, flashblockInterval: 200 });
    await chain.sequencer.setNext('outside', { timestamp: GENESIS + 100n, baseFeePerGas: 7n });
    await chain.send();
    await chain.clock.advance(200);
    await chain.sequencer.setMode('outside', { kind: 'manual' });
    await chain.clock.advance(3000);
    await chain.call('evm_mine');
    const [first, second] = [await chain.block('0x1'), await chain.block('0x2')];
    expect([BigInt(first.timestamp), BigInt(first.baseFeePerGas)]).toEqual([GENESIS + 100n, 7n]);
    expect(BigInt(second.timestamp)).toBe(GENESIS + 103n);
    expect(await codeOf(chain.send())).toBeUndefined();
  });
});
