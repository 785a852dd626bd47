import { createBlock, createBlockHeader } from '@ethereumjs/block';
import { Hardfork } from '@ethereumjs/common';
import { RLP } from '@ethereumjs/rlp';
import type { TypedTransaction } from '@ethereumjs/tx';
import { bytesToHex, createWithdrawal } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../../src/chain/block.ts';
import {
  decodeBody,
  decodeReceipts,
  decodeTransactionHashes,
  encodeBlock,
  encodeBody,
  encodeReceipt,
  encodeReceipts,
  receiptItems,
  transactionItems,
} from '../../../src/chain/store/block-codec.ts';
import {
  Bytes,
  blockOn,
  commonOf,
  decodeTransaction,
  headerOf,
  impersonated,
  receiptOf,
  signed,
} from './sample-blocks.ts';

const allTypes = (bytes: Bytes) => [0, 1, 2, 3, 4].map((type) => signed(type, type, bytes));

const facts = ({ tx, from, hash, impersonated }: Transaction) => ({
  raw: bytesToHex((tx as TypedTransaction).serialize()),
  from: from.toString(),
  hash: bytesToHex(hash),
  impersonated,
});

describe('network encoding of a block', () => {
  it('equals EthereumJS with transactions of all types and withdrawals', () => {
    const bytes = new Bytes('network');
    const block = blockOn(
      { hash: bytes.take(32), header: headerOf('prague', bytes) },
      bytes,
      allTypes(bytes),
    );
    const header = {
      ...block.header,
      difficulty: 0n,
      nonce: new Uint8Array(8),
      gasLimit: 1n << 40n,
      gasUsed: 0n,
    };
    const theirs = createBlock(
      {
        header: {
          ...header,
          uncleHash: header.unclesHash,
          transactionsTrie: header.transactionsRoot,
          receiptTrie: header.receiptsRoot,
        },
        transactions: block.transactions.map(({ tx }) => tx as TypedTransaction),
        withdrawals: block.withdrawals!.map((w) => createWithdrawal({ ...w })),
      },
      { common: commonOf(Hardfork.Prague), skipConsensusFormatValidation: true },
    );
    expect(bytesToHex(encodeBlock({ ...block, header }))).toBe(bytesToHex(theirs.serialize()));
  });

  it('equals EthereumJS with uncles and without withdrawals', () => {
    const bytes = new Bytes('uncles');
    const common = commonOf(Hardfork.Byzantium);
    const plain = () => headerOf('frontier', bytes, { gasLimit: 1n << 40n, gasUsed: 0n, number: 9n });
    const theirsOf = (h: ReturnType<typeof plain>) => ({
      ...h,
      uncleHash: h.unclesHash,
      transactionsTrie: h.transactionsRoot,
      receiptTrie: h.receiptsRoot,
    });
    const [header, uncle] = [plain(), plain()];
    const theirs = createBlock(
      { header: theirsOf(header), uncleHeaders: [theirsOf(uncle)] },
      { common, skipConsensusFormatValidation: true },
    );
    const ours = encodeBlock({ header, transactions: [], uncles: [uncle] });
    expect(bytesToHex(ours)).toBe(bytesToHex(theirs.serialize()));
    expect(
      createBlockHeader(theirsOf(uncle), { common, skipConsensusFormatValidation: true }).hash(),
    ).toEqual(theirs.uncleHeaders[0]!.hash());
  });
});

describe('consensus encoding of a receipt', () => {
  it('is a list for legacy transactions, and has the type in front for others', () => {
    const bytes = new Bytes('receipt');
    const receipt = { ...receiptOf(0, bytes), status: true };
    const list = RLP.encode([
      Uint8Array.of(1),
      receipt.cumulativeGasUsed,
      receipt.logsBloom,
      receipt.logs.map((log) => [log.address.bytes, [...log.topics], log.data]),
    ]);
    expect(encodeReceipt(receipt)).toEqual(list);
    expect(encodeReceipt({ ...receipt, type: 3 })).toEqual(Uint8Array.of(3, ...list));
  });

  it('has an empty status for a failure, and the state root before Byzantium', () => {
    const bytes = new Bytes('receipt');
    const first = (encoded: Uint8Array) => (RLP.decode(encoded) as Uint8Array[])[0];
    const failed = { ...receiptOf(0, bytes), status: false };
    expect(first(encodeReceipt(failed))).toEqual(new Uint8Array(0));
    const early = receiptOf(0, bytes, 'root');
    expect(first(encodeReceipt(early))).toEqual(early.stateRoot);
  });
});

describe('stored records', () => {
  it('bodies keep transactions of all types, impersonated ones with their sender, uncles and withdrawals', () => {
    const bytes = new Bytes('bodies');
    const block = {
      ...blockOn(undefined, bytes, [...allTypes(bytes), impersonated(7, bytes)]),
      uncles: [headerOf('frontier', bytes), headerOf('london', bytes)],
    };
    const { transactions, ...rest } = decodeBody(encodeBody(block), block.header, decodeTransaction);
    expect(transactions.map(facts)).toEqual(block.transactions.map(facts));
    expect(rest).toEqual({ uncles: block.uncles, withdrawals: block.withdrawals, size: block.size });
    expect(decodeTransactionHashes(encodeBody(block))).toEqual(block.transactions.map(({ hash }) => hash));
  });

  it('bodies before Shanghai have no withdrawals, later ones may have none in the list', () => {
    const header = headerOf('london', new Bytes('none'));
    const bare = { transactions: [], uncles: [], size: 0 };
    expect(decodeBody(encodeBody(bare), header, decodeTransaction)).toEqual(bare);
    const empty = { ...bare, withdrawals: [] };
    expect(decodeBody(encodeBody(empty), header, decodeTransaction)).toEqual(empty);
  });

  it('receipts keep every field, and absent ones stay absent', () => {
    const bytes = new Bytes('receipts');
    const receipts = Array.from({ length: 40 }, (_, i) =>
      receiptOf(i % 5, bytes, i % 7 === 0 ? 'root' : 'status'),
    );
    expect(decodeReceipts(encodeReceipts({ receipts }))).toEqual(receipts);
  });

  it('a block that was built in several steps is stored as one that is encoded at once', () => {
    const bytes = new Bytes('pieces');
    const receipts = Array.from({ length: 9 }, (_, i) => receiptOf(i % 5, bytes));
    const transactions = Array.from({ length: 9 }, (_, i) => signed(i % 5, i, bytes));
    const body = { transactions, uncles: [headerOf('london', bytes)], size: 700, withdrawals: [] };
    const steps = [
      [0, 4],
      [4, 4],
      [4, 9],
    ] as const;
    const storedItems = {
      transactions: steps.map(([from, to]) => transactionItems(transactions.slice(from, to))),
      receipts: steps.flatMap(([from, to]) => receiptItems(receipts.slice(from, to))),
    };
    expect(encodeReceipts({ receipts: [], storedItems })).toEqual(encodeReceipts({ receipts }));
    expect(encodeBody({ ...body, transactions: [], storedItems })).toEqual(encodeBody(body));
  });
});
