import { Address, bytesToHex, concatBytes, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import fc from 'fast-check';
import { serializeTransaction } from 'viem/op-stack';
import { describe, expect, it } from 'vitest';
import { DepositTransaction } from '../../../src/protocol/op-stack/deposit-transaction.ts';
import { runs } from '../../fuzz.ts';

/** The attributes of an L1 block as they stand in a block of the OP network: a vector of op-alloy's and of EDR's. */
const ATTRIBUTES =
  '0x7ef9015aa044bae9d41b8380d781187b426c6fe43df5fb2fb57bd4466ef6a701e1f01e015694deaddeaddeaddeaddeaddeaddeaddeaddead000194420000000000000000000000000000000000001580808408f0d18001b90104015d8eb900000000000000000000000000000000000000000000000000000000008057650000000000000000000000000000000000000000000000000000000063d96d10000000000000000000000000000000000000000000000000000000000009f35273d89754a1e0387b89520d989d3be9c37c1f32495a88faf1ea05c61121ab0d1900000000000000000000000000000000000000000000000000000000000000010000000000000000000000002d679b567db6187c0c8323fa982cfb88b74dbcc7000000000000000000000000000000000000000000000000000000000000083400000000000000000000000000000000000000000000000000000000000f4240';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

const deposits = fc.record({
  sourceHash: bytes(32),
  from: bytes(20),
  to: fc.option(bytes(20), { nil: undefined }),
  mint: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  gasLimit: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  isSystemTransaction: fc.boolean(),
  data: fc.uint8Array(),
});

describe('a deposit', () => {
  it('of the OP network is read, and written again to the same bytes', () => {
    const tx = DepositTransaction.decode(hexToBytes(ATTRIBUTES));
    expect(tx).toMatchObject({ mint: 0n, value: 0n, gasLimit: 150_000_000n, isSystemTransaction: true });
    expect(tx.from.toString()).toBe('0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001');
    expect(tx.to?.toString()).toBe('0x4200000000000000000000000000000000000015');
    expect(bytesToHex(tx.serialize())).toBe(ATTRIBUTES);
  });

  it("has viem's bytes, and comes out of them as it was", () => {
    fc.assert(
      fc.property(deposits, (fields) => {
        const from = new Address(fields.from);
        const to = fields.to && new Address(fields.to);
        const tx = new DepositTransaction({ ...fields, from, ...(to && { to }) } as never);
        const theirs = serializeTransaction({
          type: 'deposit',
          sourceHash: bytesToHex(fields.sourceHash),
          from: from.toString(),
          ...(to && { to: to.toString() }),
          mint: fields.mint,
          value: fields.value,
          gas: fields.gasLimit,
          isSystemTx: fields.isSystemTransaction,
          data: bytesToHex(fields.data),
        });
        expect(bytesToHex(tx.serialize())).toBe(theirs);
        expect(DepositTransaction.decode(hexToBytes(theirs))).toEqual(tx);
      }),
      { numRuns: runs(100) },
    );
  });

  const item = (hex: string) => `${(0x80 + hex.length / 2).toString(16)}${hex}`;
  const raw = ({ hash = '11'.repeat(32), from = '22'.repeat(20), mint = '80', system = '80', more = '' }) => {
    const body = `a0${hash.slice(0, 64)}${item(from)}80${mint}80825208${system}80${more}`;
    return `0x7ef8${(body.length / 2).toString(16)}${body}` as PrefixedHexString;
  };

  it.each([
    ['an integer with leading zeros', raw({ mint: '820001' }), /canonical/],
    ['a flag that is neither', raw({ system: '02' }), /isSystemTransaction: expected at most 1, got 2/],
    ['a short sender', raw({ from: '22'.repeat(19) }), /from: expected a length of 20 bytes, got 19/],
    ['nine items', raw({ more: '80' }), /expected a list of 8 items, got 9/],
    ['a string', '0x7e80' as const, /expected a list of 8 items, got a string/],
  ])('is refused with %s', (_, encoded, reason) => {
    expect(() => DepositTransaction.decode(hexToBytes(encoded))).toThrow(reason);
  });

  it('is refused with bytes behind it', () => {
    const good = hexToBytes(raw({}));
    expect(() => DepositTransaction.decode(good)).not.toThrow();
    expect(() => DepositTransaction.decode(concatBytes(good, Uint8Array.of(1)))).toThrow();
  });
});
