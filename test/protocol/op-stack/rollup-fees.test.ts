import { createHash } from 'node:crypto';
import { hexToBytes } from '@ethereumjs/util';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { fastLzLength } from '../../../src/protocol/op-stack/fast-lz.ts';
import { rollupFees } from '../../../src/protocol/op-stack/rollup-fees.ts';
import { EMPTY_STATE } from '../../../src/state/empty-state.ts';
import { integerBytes, integerOf } from '../../../src/state/integers.ts';

describe('FastLZ', () => {
  // op-geth's TestFlzCompressLen
  it.each([
    ['nothing', new Uint8Array(), 0],
    ['a thousand ones', new Uint8Array(1000).fill(1), 21],
    ['a thousand zeros', new Uint8Array(1000), 21],
  ])('makes of %s as many bytes as in op-geth', (_, bytes, length) => {
    expect(fastLzLength(bytes)).toBe(length);
  });

  it.each([1, 12, 13, 14, 32, 33])(
    '%i bytes without a repetition stay, with one more for each 32',
    (length) => {
      const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
      expect(fastLzLength(bytes)).toBe(length + Math.ceil(length / 32));
    },
  );
});

describe('the L1 fee', () => {
  const SLOTS: Record<string, bigint> = {
    1: 7_123_456_789n,
    3: (5_227n << 96n) | (1_014_213n << 64n) | 77n,
    7: 1_234_567n,
  };
  const stateOf = (slots: Record<string, bigint>) => ({
    ...EMPTY_STATE,
    getStorage: (_: unknown, slot: Uint8Array) => integerBytes(slots[String(integerOf(slot))] ?? 0n),
  });
  let digest = createHash('sha256').update('a').digest('hex');
  let random = '';
  for (let i = 0; i < 20; i++) {
    digest = createHash('sha256').update(digest).digest('hex');
    random += digest;
  }
  const polynomial = Array.from({ length: 1500 }, (_, i) =>
    ((i * i * 7 + (i % 13)) & 255).toString(16).padStart(2, '0'),
  );

  // Each was charged by anvil 1.7.1 --optimism, with these values in the contract.
  it.each([
    [0, '', 59_700_105_207n],
    [1, '00'.repeat(300), 59_700_105_207n],
    [2, 'ab'.repeat(900), 59_700_105_207n],
    [3, random, 361_604_671_545n],
    [4, (random.slice(0, 200) + '00'.repeat(24)).repeat(9), 91_933_326_311n],
    [5, polynomial.join(''), 804_564_825_662n],
    [6, '0102030405'.repeat(1400), 75_453_410_769n],
  ])('of transaction %i is what anvil charges', async (nonce, data, fee) => {
    const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: 31337,
      nonce,
      to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      data: `0x${data}`,
      gas: 3_000_000n,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1n,
    });
    expect((await rollupFees(hexToBytes(raw), stateOf(SLOTS)))?.l1Fee).toBe(fee);
  });

  it('is none where the contract says nothing', async () => {
    expect(await rollupFees(new Uint8Array(500), stateOf({ 1: 7n, 7: 7n }))).toBeUndefined();
  });

  it("is beside the operator's, of Jovian", async () => {
    const fees = await rollupFees(new Uint8Array(500), stateOf({ 8: (3n << 64n) | 5n }));
    expect([fees?.l1Fee, fees?.operatorFee(0n), fees?.operatorFee(10n)]).toEqual([0n, 5n, 3005n]);
  });
});
