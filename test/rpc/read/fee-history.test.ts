import { describe, expect, test } from 'vitest';
import { client } from '../client.ts';
import { bytes, FakeChain, fakeBlock, fakeTransaction, GWEI } from '../fake-chain.ts';
import { chain } from '../sample-chain.ts';

describe('eth_feeHistory', () => {
  const call = client({ chain: chain() });

  test('ends with the fees of the block after', async () => {
    expect(await call('eth_feeHistory', '0x2', 'latest', [])).toEqual({
      oldestBlock: '0x0',
      baseFeePerGas: ['0x3b9aca00', '0x3b9aca00', '0x77359400'],
      gasUsedRatio: [0, 81_000 / 30_000_000],
      baseFeePerBlobGas: ['0x1', '0x1', '0x1'],
      blobGasUsedRatio: [0, 0],
    });
  });

  test('rewards are weighted by gas, zero in an empty block', async () => {
    const { reward } = await call('eth_feeHistory', 5, 'latest', [0, 25, 26, 100]);
    // Both tip 2 gwei: the legacy one 3 - 1, the other its cap.
    expect(reward).toEqual([
      ['0x0', '0x0', '0x0', '0x0'],
      ['0x77359400', '0x77359400', '0x77359400', '0x77359400'],
    ]);
  });

  test('percentiles fall on the cheaper transactions first', async () => {
    const cheap = fakeTransaction({ type: 0, gasPrice: 2n * GWEI });
    const dear = fakeTransaction({ type: 0, gasPrice: 5n * GWEI });
    const block = fakeBlock(0n, bytes(0), [
      { transaction: dear, gasUsed: 75_000n },
      { transaction: cheap, gasUsed: 25_000n },
    ]);
    const history = await client({ chain: new FakeChain([block], block) })(
      'eth_feeHistory',
      1,
      'latest',
      [25, 26],
    );
    expect(history.reward).toEqual([['0x3b9aca00', '0xee6b2800']]);
  });

  test('reaches back no further than there are blocks, and to the pending one', async () => {
    expect((await call('eth_feeHistory', '0x400', 'pending')).gasUsedRatio).toHaveLength(3);
    expect((await call('eth_feeHistory', 0, 'latest')).baseFeePerGas).toEqual([]);
  });

  test.each([[[50, 10]], [[10, 10]], [[-1]], [[101]], [['x']]])(
    'percentiles %j are refused',
    async (percentiles) =>
      await expect(call('eth_feeHistory', 1, 'latest', percentiles)).rejects.toMatchObject({ code: -32602 }),
  );

  test('an unknown block is -32000', async () =>
    await expect(call('eth_feeHistory', 1, '0x9')).rejects.toMatchObject({ code: -32000 }));
});
