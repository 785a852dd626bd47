import { expect, it } from 'vitest';
import { A, hex, onEachEngine, TELL } from './chain.ts';

onEachEngine('EIP-7843, SLOTNUM', (chain) => {
  it('pushes the slot of the block, for 2 gas', async () => {
    await chain.put(A, `4b${TELL}`);
    const { told, block } = await chain.send({ to: A });
    expect(told).toEqual([BigInt(block.slotNumber)]);
    await chain.put(A, '4b50');
    expect(await chain.send({ to: A })).toMatchObject({ execution: 15_000n + 4n });
  });

  it('is one more in each block, from 0 on', async () => {
    expect(await chain.call('eth_getBlockByNumber', '0x0', false)).toMatchObject({ slotNumber: '0x0' });
    const before = await chain.call('eth_getBlockByNumber', 'latest', false);
    await chain.call('anvil_mine', '0x3');
    const after = await chain.call('eth_getBlockByNumber', 'latest', false);
    expect(Number(after.slotNumber) - Number(before.slotNumber)).toBe(3);
    expect(await chain.call('eth_getBlockByNumber', 'pending', false)).toMatchObject({
      slotNumber: hex(Number(after.slotNumber) + 1),
    });
  });

  it('of a call is that of the block on which it runs', async () => {
    await chain.put(A, '4b5f5260205ff3');
    await chain.call('anvil_mine', '0x2');
    const { slotNumber } = await chain.call('eth_getBlockByNumber', 'latest', false);
    expect(BigInt(await chain.call('eth_call', { to: A }, 'latest'))).toBe(BigInt(slotNumber));
    expect(BigInt(await chain.call('eth_call', { to: A }, 'pending'))).toBe(BigInt(slotNumber) + 1n);
    const [block] = await chain.call(
      'eth_simulateV1',
      { blockStateCalls: [{ calls: [{ to: A }] }] },
      'latest',
    );
    expect(BigInt(block.slotNumber)).toBe(BigInt(slotNumber) + 1n);
    expect(BigInt(block.calls[0].returnData)).toBe(BigInt(slotNumber) + 1n);
  });
});
