import { RLP } from '@ethereumjs/rlp';
import { concatBytes } from '@ethereumjs/util';
import type { Block, Header, Transaction } from '../chain/block.ts';
import { hashHeader } from '../chain/header.ts';
import { DEPOSIT_RECEIPT_VERSION } from '../chain/store/block-codec.ts';
import { DEPOSIT_TYPE, type DepositTransaction } from '../evm/deposit-transaction.ts';
import { hex, quantity } from '../rpc/codec/hex.ts';
import { formatHeader, formatWithdrawal } from '../rpc/format/block.ts';
import { formatTransaction } from '../rpc/format/transaction.ts';
import { keccak256 } from '../state/keccak.ts';

/** A block as anvil's files have it (`SerializableBlock`). */
export function formatDumpedBlock(block: Block): object {
  const { header, hash, uncles, withdrawals } = block;
  return {
    header: dumpedHeader(header, hash),
    transactions: block.transactions.map((_, index) => dumpedTransaction(block, index)),
    ommers: uncles.map((uncle) => dumpedHeader(uncle, hashHeader(uncle))),
    withdrawals: withdrawals ? withdrawals.map(formatWithdrawal) : null,
  };
}

/** As anvil's, which has no hash: with it, a header that was changed shows. */
function dumpedHeader(header: Header, hash: Uint8Array): object {
  return formatHeader({ header, hash });
}

/** The transactions of a block with their receipts, as anvil's files have them (`SerializableTransaction`). */
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
        // What the EVM did isn't stored. anvil's reader wants these: no traces, and the outcome as far as it is known.
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
      // Not anvil's.
      ...(impersonated && { hash: hex(hash) }),
      ...(blobGasPrice !== undefined && { blobGasPrice: quantity(blobGasPrice) }),
    };
  });
}

function dumpedTransaction(block: Block, index: number): object {
  const transaction = block.transactions[index]!;
  // A legacy transaction's price is what was paid; the others' is in their fee caps.
  const { blockHash, blockNumber, blockTimestamp, transactionIndex, from, gasPrice, ...own } =
    formatTransaction(transaction, { block, index });
  const { tx, impersonated } = transaction;
  if (tx.type === DEPOSIT_TYPE) return { transaction: dumpedDeposit(tx), impersonated_sender: null };
  return {
    transaction: { ...own, ...(tx.type < 2 && { gasPrice }) },
    impersonated_sender: impersonated ? from : null,
  };
}

/** The sender stands in it, and nothing that comes of its execution. */
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
 * The hash under which anvil looks for a transaction whose sender was impersonated: of its encoding inside a block, and
 * the sender behind it. Here such a transaction has the hash of its own bytes.
 */
function anvilHash({ tx, raw, from }: Transaction): Uint8Array {
  return keccak256(concatBytes(tx.type === 0 ? raw : RLP.encode(raw), from.bytes));
}
