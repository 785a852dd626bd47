import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { createTx, type TypedTxData } from '@ethereumjs/tx';
import { hexToBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { checkAdmission, maximumCost } from '../../src/mempool/admission.ts';
import { common, GWEI, RICH, RULES, sender, transaction } from './transactions.ts';

const A = sender(0xa);
const rejected = (fields: object, view: object = {}, rules: object = {}, flags: object = {}) => {
  try {
    checkAdmission({ ...transaction(A, 0, fields), ...flags }, { ...RICH, ...view }, { ...RULES, ...rules });
  } catch (error) {
    const { kind, code, message } = error as { kind: string; code: number; message: string };
    expect(code).toBe(-32003);
    return `${kind}: ${message}`;
  }
  return undefined;
};

describe('admission', () => {
  it('accepts a fee cap below the base fee and free transactions', () => {
    expect(rejected({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n })).toBeUndefined();
  });

  it('refuses a fee cap below the base fee of the block that is made for it', () => {
    const blockFees = { baseFee: 2n * GWEI, blobBaseFee: undefined };
    expect(rejected({}, {}, { blockFees })).toBeUndefined();
    expect(rejected({}, {}, { blockFees: { ...blockFees, baseFee: 2n * GWEI + 1n } })).toMatch(
      /^poolFeeCapTooLow: max fee per gas less than block base fee: maxFeePerGas 2000000000, baseFee 2000000001/,
    );
  });

  it('a nonce below the account is too low', () => {
    expect(rejected({}, { nonce: 1n })).toMatch(/^poolNonceTooLow: nonce too low/);
  });

  it('the sender must afford gas at the fee cap, and the value', () => {
    const cost = 21_000n * 2n * GWEI + 5n;
    expect(rejected({ value: 5n }, { balance: cost })).toBeUndefined();
    expect(rejected({ value: 5n }, { balance: cost - 1n })).toMatch(
      /^poolInsufficientFunds: insufficient funds/,
    );
  });

  it('gas must cover the intrinsic cost', () => {
    expect(rejected({ gasLimit: 20_999n })).toMatch(/intrinsic gas too low/);
    expect(rejected({ gasLimit: 53_000n, to: undefined, data: '0x00' })).toMatch(/intrinsic gas too low/);
  });

  it('gas must cover the floor for call data since Prague (EIP-7623)', () => {
    const data = `0x${'ff'.repeat(100)}`;
    expect(rejected({ gasLimit: 24_999n, data })).toMatch(/floor data gas/);
    expect(rejected({ gasLimit: 25_000n, data })).toBeUndefined();
  });

  it('gas above the block gas limit is refused', () => {
    expect(rejected({ gasLimit: 100_000n }, {}, { blockGasLimit: 99_999n })).toMatch(
      /exceeds block gas limit/,
    );
  });

  it('the minimum gas price counts against the fee cap', () => {
    expect(rejected({}, {}, { minGasPrice: 2n * GWEI })).toBeUndefined();
    expect(rejected({}, {}, { minGasPrice: 2n * GWEI + 1n })).toMatch(/^underpriced/);
  });

  it('a sender with code is refused, but for a delegation and an impersonated one', () => {
    const delegation = hexToBytes(`0xef0100${'11'.repeat(20)}`);
    const contract = hexToBytes('0x6001');
    const real = { impersonated: false };
    expect(rejected({}, { code: contract }, {}, real)).toMatch(/not an eoa/);
    expect(rejected({}, { code: delegation }, {}, real)).toBeUndefined();
    expect(rejected({}, { code: contract })).toBeUndefined();
  });

  it('init code over the limit of EIP-3860 is refused unless lifted', () => {
    const fields = { type: 2, data: new Uint8Array(49_153), gasLimit: 3_000_000n };
    const tx = createTx(fields as TypedTxData, { common, allowUnlimitedInitCodeSize: true });
    const it = { tx, from: A, hash: new Uint8Array(32), raw: new Uint8Array(), impersonated: true };
    expect(() => checkAdmission(it, RICH, RULES)).toThrow(/max initcode size exceeded/);
    checkAdmission(it, RICH, { ...RULES, unlimitedInitCode: true });
  });

  it('blob gas counts in the cost, and its fee must be one wei at least', () => {
    // Decoding a blob transaction needs no more of KZG than its presence.
    const kzg = {} as NonNullable<typeof common.customCrypto.kzg>;
    const blobs = createCustomCommon({ chainId: 31337 }, Mainnet, {
      hardfork: 'osaka',
      customCrypto: { kzg },
    });
    const blobVersionedHashes = [`0x01${'00'.repeat(31)}`, `0x01${'11'.repeat(31)}`];
    const make = (maxFeePerBlobGas: bigint) =>
      createTx(
        {
          type: 3,
          gasLimit: 21_000n,
          maxFeePerGas: 10n,
          maxPriorityFeePerGas: 1n,
          maxFeePerBlobGas,
          to: A,
          blobVersionedHashes,
        } as TypedTxData,
        { common: blobs },
      );
    expect(maximumCost(make(3n), RULES.hardfork())).toBe(210_000n + 2n * 131_072n * 3n);
    const offering = (maxFeePerBlobGas: bigint) => ({
      tx: make(maxFeePerBlobGas),
      from: A,
      hash: new Uint8Array(32),
      raw: new Uint8Array(),
      impersonated: true,
    });
    expect(() => checkAdmission(offering(0n), RICH, RULES)).toThrow(
      expect.objectContaining({ kind: 'underpriced' }),
    );
    const atOnce = { ...RULES, blockFees: { baseFee: 1n, blobBaseFee: 3n } };
    checkAdmission(offering(3n), RICH, atOnce);
    expect(() => checkAdmission(offering(2n), RICH, atOnce)).toThrow(
      expect.objectContaining({ kind: 'poolBlobFeeCapTooLow', code: -32003 }),
    );
  });
});
