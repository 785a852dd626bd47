import { RLP } from '@ethereumjs/rlp';
import { concatBytes } from '@ethereumjs/util';
import type { Block, Header, Transaction } from '../chain/block.ts';
import { hashHeader } from '../chain/header.ts';
import { DEPOSIT_RECEIPT_VERSION } from '../chain/store/block-codec.ts';
import { DEPOSIT_TYPE, type DepositTransaction } from '../protocol/op-stack/deposit-transaction.ts';
import { hex, quantity } from '../rpc/codec/hex.ts';
import { formatHeader, formatWithdrawal } from '../rpc/format/block.ts';
import { formatTransaction } from '../rpc/format/transaction.ts';
import { keccak256 } from '../state/keccak.ts';

/** Formats a block for anvil's files (`SerializableBlock`). */
export function formatDumpedBlock(block: Block): object {
  const { header, hash, uncles, withdrawals } = block;
  return {
    header: dumpedHeader(header, hash),
    transactions: block.transactions.map((_, index) => dumpedTransaction(block, index)),
    ommers: uncles.map((uncle) => dumpedHeader(uncle, hashHeader(uncle))),
    withdrawals: withdrawals ? withdrawals.map(formatWithdrawal) : null,
  };
}

/** anvil's format plus the hash, with which a changed header is detected. */
function dumpedHeader(header: Header, hash: Uint8Array): object {
  return formatHeader({ header, hash });
}

/** Formats a block's transactions and receipts for anvil's files (`SerializableTransaction`). */
export function formatDumpedReceipts(block: Block): object[] {
  return block.receipts.map((receipt, index) => {
    const transaction = block.transactions[index]!;
    const { tx, from, hash, impersonated } = transaction;
    const { status, stateRoot, contractAddress, blobGasPrice, depositNonce } = receipt;
    return {
      info: {
        transaction_hash: hex(impersonated ? anvilHash(transaction) : hash),
        transaction_index: index,
        from: from.toString(),
        to: tx.to?.toString() ?? null,
        contract_address: contractAddress?.toString() ?? null,
        // anvil requires these fields. Traces and return data aren't stored, so they are empty.
        traces: [],
        exit: status === false ? 'Revert' : 'Stop',
        out: null,
        nonce: Number(depositNonce ?? tx.nonce),
        gas_used: Number(receipt.gasUsed),
      },
      receipt: {
        type: quantity(receipt.type),
        ...(status === undefined ? { root: hex(stateRoot!) } : { status: status ? '0x1' : '0x0' }),
        cumulativeGasUsed: quantity(receipt.cumulativeGasUsed),
        logs: receipt.logs.map(({ address, topics, data }) => ({
          address: address.toString(),
          topics: topics.map(hex),
          data: hex(data),
        })),
        logsBloom: hex(receipt.logsBloom),
        ...(depositNonce !== undefined && {
          depositNonce: quantity(depositNonce),
          depositReceiptVersion: quantity(DEPOSIT_RECEIPT_VERSION),
        }),
      },
      block_hash: hex(block.hash),
      block_number: Number(block.header.number),
      // The remaining fields are devnet's own.
      ...(impersonated && { hash: hex(hash) }),
      ...(blobGasPrice !== undefined && { blobGasPrice: quantity(blobGasPrice) }),
    };
  });
}

function dumpedTransaction(block: Block, index: number): object {
  const transaction = block.transactions[index]!;
  // Only transactions without fee caps have a gas price of their own; for the others it is computed from the block.
  const { blockHash, blockNumber, blockTimestamp, transactionIndex, from, gasPrice, ...own } =
    formatTransaction(transaction, { block, index });
  const { tx, impersonated } = transaction;
  if (tx.type === DEPOSIT_TYPE) return { transaction: dumpedDeposit(tx), impersonated_sender: null };
  return {
    transaction: { ...own, ...(tx.type < 2 && { gasPrice }) },
    impersonated_sender: impersonated ? from : null,
  };
}

/** A deposit with its sender, but without fields that result from its execution. */
function dumpedDeposit(tx: DepositTransaction): object {
  const { sourceHash, from, to, mint, value, gasLimit, isSystemTransaction, data } = tx;
  return {
    type: quantity(DEPOSIT_TYPE),
    sourceHash: hex(sourceHash),
    from: from.toString(),
    ...(to && { to: to.toString() }),
    mint: quantity(mint),
    value: quantity(value),
    gas: quantity(gasLimit),
    ...(isSystemTransaction && { isSystemTx: '0x1' }),
    input: hex(data),
    hash: hex(tx.hash()),
  };
}

/**
 * The hash that anvil gives to a transaction of an impersonated sender: that of its encoding in a block, followed by
 * the sender's address. Here such a transaction has the hash of its raw bytes.
 */
function anvilHash({ tx, raw, from }: Transaction): Uint8Array {
  return keccak256(concatBytes(tx.type === 0 ? raw : RLP.encode(raw), from.bytes));
}
