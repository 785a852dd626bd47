import { expect, it } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { callsOf } from '../wire.ts';
import { A, hex, onEachEngine, word } from './chain.ts';

/** SSTORE(0, 0) */
const CLEAR = '5f5f55';
/** 15,000, two PUSH0, 2,100 for the slot and 10,000 for its change */
const BEFORE = 15_000n + 4n + 12_100n;
const PAID = BEFORE - BEFORE / 5n;

onEachEngine('EIP-7778, blocks count gas before refunds', (chain) => {
  it('the receipt has what is paid, the header what was used', async () => {
    await chain.put(A, CLEAR, [1]);
    const { receipt, header, gas } = await chain.send({ to: A });
    expect([gas, header]).toEqual([PAID, BEFORE]);
    expect(receipt.cumulativeGasUsed).toBe(hex(PAID));
    // The base fee and the ratio come from the header.
    const { gasUsedRatio, baseFeePerGas } = await chain.call('eth_feeHistory', '0x1', 'latest', []);
    expect(gasUsedRatio).toEqual([Number(BEFORE) / 200_000_000]);
    await chain.call('evm_mine');
    const { baseFeePerGas: next } = await chain.call('eth_getBlockByNumber', 'latest', false);
    expect(next).toBe(baseFeePerGas[1]);
  });

  it('cumulative gas of a block’s receipts is the sum of what is paid, apart from the header', async () => {
    await chain.put(A, CLEAR, [1]);
    await chain.call('evm_setAutomine', false);
    const hashes = [];
    for (const to of [A, A])
      hashes.push(await chain.call('eth_sendTransaction', { from: chain.from, to, gas: hex(100_000) }));
    await chain.call('evm_mine');
    await chain.call('evm_setAutomine', true);
    const receipts = await chain.call('eth_getBlockReceipts', 'latest');
    // The second one keeps 0.
    const second = 15_000n + 4n + 2_100n;
    expect(
      receipts.map(({ cumulativeGasUsed }: { cumulativeGasUsed: string }) => BigInt(cumulativeGasUsed)),
    ).toEqual([PAID, PAID + second]);
    const { gasUsed } = await chain.call('eth_getBlockByNumber', 'latest', false);
    expect(BigInt(gasUsed)).toBe(BEFORE + second);
  });

  it('where the floor is more than what was used, both have the floor', async () => {
    await chain.put(A, CLEAR, [1]);
    const data = '00'.repeat(1_000);
    const floor = 15_000n + 64_000n;
    expect(await chain.send({ to: A, data })).toMatchObject({ gas: floor, header: floor });
  });

  it('where a refund brings it below the floor, the receipt has the floor and the header what was used', async () => {
    await chain.put(A, CLEAR, [1]);
    // 4 a zero byte in what is used, 64 in the floor: 200 bytes
    const data = '00'.repeat(200);
    const used = BEFORE + 800n;
    const floor = 15_000n + 12_800n;
    expect(used - used / 5n).toBeLessThan(floor);
    expect(await chain.send({ to: A, data })).toMatchObject({
      gas: floor,
      header: used > floor ? used : floor,
    });
  });

  it('a block of state gas counts no refund either', async () => {
    // SSTORE(1, 1), then CLEAR
    await chain.put(A, `6001600155${CLEAR}`, [1]);
    const { header, state, gas } = await chain.send({ to: A });
    expect(header).toBe(state);
    const all = BEFORE + 6n + 12_100n + state;
    expect(gas).toBe(all - 11_616n);
    expect(await chain.call('eth_getStorageAt', A, '0x1', 'latest')).toBe(word(1));
  });
});

it('stateGasTracer at osaka: all gas is execution gas, before refunds', async () => {
  const node = await createDevnet({ hardfork: 'osaka', automine: true, manualClock: true });
  const call = callsOf(node);
  const [from] = await call('eth_accounts');
  await call('anvil_setCode', A, `0x${CLEAR}`);
  await call('anvil_setStorageAt', A, '0x0', word(1));
  const hash = await call('eth_sendTransaction', { from, to: A, gas: hex(100_000) });
  // 21,000, two PUSH0, and 5,000 for the slot; 4,800 are refunded.
  expect(await call('debug_traceTransaction', hash, { tracer: 'stateGasTracer' })).toEqual({
    ...{ gasUsed: hex(21_204), executionGasUsed: hex(26_004), stateGasUsed: '0x0', gasRefund: hex(4_800) },
  });
  await node.close();
});
