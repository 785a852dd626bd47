import type { Address } from '@ethereumjs/util';
import type { Block, Header, Receipt, Transaction } from '../chain/block.ts';
import { expectSame, refuse } from '../chain/block-fault.ts';
import { withdrawalsRoot } from '../chain/block-seal.ts';
import { blobBaseFee } from '../chain/fees.ts';
import { hashHeader, hashUncles, headerOf } from '../chain/header.ts';
import { encodeBlock, encodeReceipt } from '../chain/store/block-codec.ts';
import { HEADER_FIELDS, type HeaderField } from '../core/tables/fields.ts';
import type { TransactionDecoder } from '../mempool/decode.ts';
import type { HardforkSchedule } from '../protocol/hardfork.ts';
import type { Log } from '../protocol/types.ts';
import {
  array,
  type Codec,
  type Decoded,
  mapped,
  object,
  optional,
  withDefault,
} from '../rpc/codec/codec.ts';
import { address, data, hash32, quantity, uint64 } from '../rpc/codec/values.ts';
import { gasPrice } from '../rpc/format/transaction.ts';
import { keccak256 } from '../state/keccak.ts';
import { Trie } from '../state/trie.ts';
import { dumpedTransaction } from './read-transaction.ts';

function codecOf({ kind, size }: HeaderField): Codec<Uint8Array | Address | bigint> {
  if (kind === 'address') return address;
  if (kind === 'quantity') return size! <= 64 ? uint64 : quantity;
  return size === 32 ? hash32 : data;
}

const headerFields = object('a header', {
  hash: optional(hash32),
  ...Object.fromEntries(
    HEADER_FIELDS.map((field) => {
      const codec = codecOf(field);
      return [field.rpc ?? field.name, field.since === undefined ? codec : optional(codec)];
    }),
  ),
}) as Codec<Readonly<Record<string, Uint8Array | Address | bigint | undefined>>>;

/** A header, with its hash if the file has it. */
export const dumpedHeader: Codec<Header & { hash?: Uint8Array }> = mapped(
  headerFields,
  ({ hash, ...fields }) => ({
    ...headerOf(({ rpc, name }) => fields[rpc ?? name]),
    ...(hash instanceof Uint8Array && { hash }),
  }),
);

const log: Codec<Log> = object('a log', { address, topics: array(hash32), data });

const withdrawal = object('a withdrawal', { index: uint64, validatorIndex: uint64, address, amount: uint64 });

/** anvil's `SerializableBlock` */
export const dumpedBlock = object('a block', {
  header: dumpedHeader,
  transactions: array(dumpedTransaction),
  ommers: withDefault(array(dumpedHeader), []),
  withdrawals: optional(array(withdrawal)),
});

/** anvil's `SerializableTransaction` */
export const dumpedReceipt = object('a transaction with its receipt', {
  info: object('what is known of a transaction', {
    transaction_hash: hash32,
    transaction_index: uint64,
    from: address,
    contract_address: optional(address),
    gas_used: uint64,
  }),
  receipt: object('a receipt', {
    type: withDefault(uint64, 0n),
    status: optional(uint64),
    root: optional(hash32),
    cumulativeGasUsed: uint64,
    logs: array(log),
    logsBloom: data,
    depositNonce: optional(uint64),
  }),
  block_hash: hash32,
  hash: optional(hash32),
  blobGasPrice: optional(quantity),
});

export type DumpedReceipt = Decoded<typeof dumpedReceipt>;

/** EIP-4844 */
const GAS_PER_BLOB = 131_072n;

/**
 * Restores a block of a file and checks its whole body against its header.
 * @param receipts in the order of the block's transactions
 * @throws BadBlock naming what differs; DevnetError for a transaction that can't be decoded
 */
export function restoreBlock(
  dumped: Decoded<typeof dumpedBlock>,
  receipts: readonly (DumpedReceipt | undefined)[],
  { forks, decoder }: { forks: HardforkSchedule; decoder: TransactionDecoder },
): Block {
  const { hash: _, ...header } = dumped.header;
  const hash = hashHeader(header);
  const hardfork = forks.at(header.number, header.timestamp, header.difficulty);
  const transactions = dumped.transactions.map(({ raw, impersonated }, index): Transaction => {
    const receipt = receipts[index];
    if (!receipt) return refuse(`transactions[${index}]`, 'a receipt', 'none');
    const stored = decoder.decodeStored(raw, hardfork.common);
    const { hash: own, info } = receipt;
    const hash = own ?? info.transaction_hash;
    // For an impersonated sender anvil computes the hash differently, see `anvilHash`.
    if (own || !impersonated) expectSame(`transactions[${index}].hash`, hash, keccak256(stored.raw));
    return { ...stored, from: info.from, hash, impersonated: impersonated !== undefined };
  });
  const restored = receipts.map((receipt, index) =>
    restoreReceipt(receipt!, transactions[index]!, header, blobBaseFee(header.excessBlobGas, hardfork)),
  );
  const uncles = dumped.ommers.map(({ hash: _, ...uncle }) => uncle);
  const withdrawals = header.withdrawalsRoot && (dumped.withdrawals ?? []);
  expectSame(
    'transactionsRoot',
    Trie.rootOfList(transactions.map(({ raw }) => raw)),
    header.transactionsRoot,
  );
  expectSame('receiptsRoot', Trie.rootOfList(restored.map(encodeReceipt)), header.receiptsRoot);
  expectSame('sha3Uncles', hashUncles(uncles), header.unclesHash);
  // On chains of the OP Stack the header's withdrawalsRoot is the storage root of the L2ToL1MessagePasser.
  if (withdrawals && hardfork.rollup !== 'jovian')
    expectSame('withdrawalsRoot', withdrawalsRoot(withdrawals), header.withdrawalsRoot!);
  const body = { transactions, uncles, ...(withdrawals && { withdrawals }) };
  const size = encodeBlock({ header, ...body }).length;
  return { header, hash, ...body, receipts: restored, size };
}

function restoreReceipt(
  { info, receipt, blobGasPrice }: DumpedReceipt,
  { tx }: Transaction,
  header: Header,
  blobFee: bigint | undefined,
): Receipt {
  const { status, root, cumulativeGasUsed, logs, logsBloom, depositNonce } = receipt;
  return {
    type: tx.type,
    ...(status !== undefined && { status: status === 1n }),
    ...(root && { stateRoot: root }),
    gasUsed: info.gas_used,
    cumulativeGasUsed,
    logsBloom,
    logs,
    ...(info.contract_address && { contractAddress: info.contract_address }),
    effectiveGasPrice: gasPrice(tx, header),
    ...(tx.type === 3 && {
      blobGasUsed: BigInt(tx.blobVersionedHashes.length) * GAS_PER_BLOB,
      blobGasPrice: blobGasPrice ?? blobFee ?? 0n,
    }),
    ...(depositNonce !== undefined && { depositNonce }),
  };
}
