import { type Block, logCountOf } from '../../chain/block.ts';
import { DEPOSIT_RECEIPT_VERSION } from '../../chain/store/block-codec.ts';
import { recipientOf } from '../../engine/message.ts';
import { hex, quantity } from '../codec/hex.ts';
import { formatLog } from './log.ts';
import { formatRollupFees } from './rollup-receipt.ts';

/** Returns the index in the block of a transaction's first log. */
export function firstLogIndex(block: Block, transactionIndex: number): number {
  let logs = 0;
  for (let i = 0; i < transactionIndex; i++) logs += logCountOf(block.receipts[i]!);
  return logs;
}

/** Formats a receipt as geth does: before Byzantium with `root` instead of `status`. @param logIndex index in the block of its first log */
export function formatReceipt(block: Block, index: number, logIndex = firstLogIndex(block, index)) {
  const { raw, from, hash } = block.transactions[index]!;
  const receipt = block.receipts[index]!;
  return {
    blockHash: hex(block.hash),
    blockNumber: quantity(block.header.number),
    transactionHash: hex(hash),
    transactionIndex: quantity(index),
    type: quantity(receipt.type),
    ...(receipt.status === undefined
      ? receipt.stateRoot && { root: hex(receipt.stateRoot) }
      : { status: receipt.status ? '0x1' : '0x0' }),
    from: from.toString(),
    // Read from the encoded transaction, which needn't be decoded as a whole.
    to: recipientOf(raw)?.toString() ?? null,
    contractAddress: receipt.contractAddress?.toString() ?? null,
    cumulativeGasUsed: quantity(receipt.cumulativeGasUsed),
    gasUsed: quantity(receipt.gasUsed),
    effectiveGasPrice: quantity(receipt.effectiveGasPrice),
    ...(receipt.blobGasUsed !== undefined && { blobGasUsed: quantity(receipt.blobGasUsed) }),
    ...(receipt.blobGasPrice !== undefined && { blobGasPrice: quantity(receipt.blobGasPrice) }),
    // Deposits only.
    ...(receipt.depositNonce !== undefined && {
      depositNonce: quantity(receipt.depositNonce),
      depositReceiptVersion: quantity(DEPOSIT_RECEIPT_VERSION),
    }),
    ...formatRollupFees(block, index),
    logs: receipt.logs.map((log, i) => formatLog(log, block, index, logIndex + i)),
    logsBloom: hex(receipt.logsBloom),
  };
}

/** Formats all receipts of a block, in order. */
export function formatReceipts(block: Block) {
  let logIndex = 0;
  return block.receipts.map((receipt, index) => {
    const formatted = formatReceipt(block, index, logIndex);
    logIndex += receipt.logs.length;
    return formatted;
  });
}
