import { describe, expect, test } from 'vitest';
import { tipOf } from '../../../src/mempool/fees.ts';
import { hex } from '../../../src/rpc/codec/hex.ts';
import { formatBlock } from '../../../src/rpc/format/block.ts';
import { formatReceipt } from '../../../src/rpc/format/receipt.ts';
import { formatTransaction } from '../../../src/rpc/format/transaction.ts';
import { bytes, CONTRACT, fakeBlock, fakeTransaction, GWEI, SENDER } from '../fake-chain.ts';

const COMMON_FIELDS =
  'blockHash blockNumber blockTimestamp transactionIndex hash type from to nonce gas gasPrice value input v r s';
const FEE_MARKET = 'maxFeePerGas maxPriorityFeePerGas accessList chainId yParity';
const versionedHash = `0x01${'ab'.repeat(31)}`;
const fees = { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 2n * GWEI };
const accessList = [{ address: CONTRACT.toString(), storageKeys: [hex(bytes(1))] }];
const authorization = {
  chainId: '0x7a69',
  address: CONTRACT.toString(),
  nonce: '0x0',
  yParity: '0x1',
  r: '0x1234',
  s: '0x5678',
};

const TYPES: [string, Record<string, unknown>, string, string][] = [
  ['legacy without a chain', { type: 0, gasPrice: 3n * GWEI }, '', '0xb2d05e00'],
  ['legacy (EIP-155)', { type: 0, gasPrice: 3n * GWEI, v: 31337n * 2n + 36n }, 'chainId', '0xb2d05e00'],
  ['EIP-2930', { type: 1, gasPrice: 3n * GWEI, accessList }, 'accessList chainId yParity', '0xb2d05e00'],
  ['EIP-1559', { type: 2, ...fees, accessList }, FEE_MARKET, '0xb2d05e00'],
  [
    'EIP-4844',
    { type: 3, ...fees, maxFeePerBlobGas: 5n, blobVersionedHashes: [versionedHash] },
    `${FEE_MARKET} maxFeePerBlobGas blobVersionedHashes`,
    '0xb2d05e00',
  ],
  [
    'EIP-7702',
    { type: 4, ...fees, authorizationList: [authorization] },
    `${FEE_MARKET} authorizationList`,
    '0xb2d05e00',
  ],
];

describe.each(TYPES)('a transaction: %s', (_, fields, own, gasPrice) => {
  const transaction = fakeTransaction(fields);
  const block = fakeBlock(1n, bytes(0), [{ transaction }]);
  const formatted = formatTransaction(transaction, { block, index: 0 });

  test('has the fields of its type and no others', () =>
    expect(Object.keys(formatted).sort()).toEqual(`${COMMON_FIELDS} ${own}`.trim().split(' ').sort()));

  test('shows what is paid in its block', () => expect(formatted.gasPrice).toBe(gasPrice));

  test('stands in its block as it does alone', () =>
    expect(formatBlock(block, true).transactions).toEqual([formatted]));
});

test('each type shows its own fields as they were signed', () => {
  const shown = (fields: Record<string, unknown>) => formatTransaction(fakeTransaction(fields));
  expect(shown(TYPES[0]![1])).toMatchObject({ type: '0x0', v: '0x1b', from: SENDER.toString() });
  expect(shown(TYPES[1]![1])).toMatchObject({ chainId: '0x7a69', v: '0xf4f6' });
  expect(shown(TYPES[2]![1])).toMatchObject({
    type: '0x1',
    accessList,
    v: '0x1',
    yParity: '0x1',
    chainId: '0x7a69',
  });
  expect(shown(TYPES[4]![1])).toMatchObject({
    maxFeePerBlobGas: '0x5',
    blobVersionedHashes: [versionedHash],
  });
  expect(shown(TYPES[5]![1])).toMatchObject({ type: '0x4', authorizationList: [authorization] });
  expect(shown({ type: 0, to: undefined, v: undefined, r: undefined, s: undefined })).toMatchObject({
    to: null,
    v: '0x0',
    r: '0x0',
    s: '0x0',
  });
});

test('the tip is what the cap leaves over the base fee', () => {
  const { tx } = fakeTransaction({ type: 2, ...fees });
  expect(tipOf(tx, GWEI)).toBe(2n * GWEI);
  expect(tipOf(tx, 8n * GWEI)).toBe(GWEI);
});

test('a receipt shows blob gas and a created contract where there are any', () => {
  const receipt = { blobGasUsed: 131_072n, blobGasPrice: 1n, contractAddress: CONTRACT, status: false };
  const block = fakeBlock(1n, bytes(0), [{ transaction: fakeTransaction(TYPES[4]![1]), receipt }]);
  expect(formatReceipt(block, 0)).toMatchObject({
    type: '0x3',
    status: '0x0',
    blobGasUsed: '0x20000',
    blobGasPrice: '0x1',
    contractAddress: CONTRACT.toString(),
  });
});

test('withdrawals are listed', () => {
  const withdrawal = { index: 1n, validatorIndex: 2n, address: CONTRACT, amount: 3n };
  const block = fakeBlock(1n, bytes(0), [], {}, { withdrawals: [withdrawal] });
  expect(formatBlock(block, false).withdrawals).toEqual([
    { index: '0x1', validatorIndex: '0x2', address: CONTRACT.toString(), amount: '0x3' },
  ]);
});
