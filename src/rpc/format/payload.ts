import type { Block } from '../../chain/block.ts';
import { hex, quantity } from '../codec/hex.ts';
import { formatWithdrawal } from './block.ts';

/** Formats the result of `engine_getPayload` (execution-apis, prague.md). The node doesn't keep blobs here, so the bundle is empty. */
export function formatPayload(block: Block) {
  const { header, receipts, requests } = block;
  const baseFee = header.baseFeePerGas ?? 0n;
  const value = receipts.reduce((sum, r) => sum + r.gasUsed * (r.effectiveGasPrice - baseFee), 0n);
  return {
    executionPayload: {
      parentHash: hex(header.parentHash),
      feeRecipient: header.coinbase.toString(),
      stateRoot: hex(header.stateRoot),
      receiptsRoot: hex(header.receiptsRoot),
      logsBloom: hex(header.logsBloom),
      prevRandao: hex(header.mixHash),
      blockNumber: quantity(header.number),
      gasLimit: quantity(header.gasLimit),
      gasUsed: quantity(header.gasUsed),
      timestamp: quantity(header.timestamp),
      extraData: hex(header.extraData),
      baseFeePerGas: quantity(baseFee),
      blockHash: hex(block.hash),
      transactions: block.transactions.map(({ raw }) => hex(raw)),
      ...(block.withdrawals && { withdrawals: block.withdrawals.map(formatWithdrawal) }),
      ...(header.blobGasUsed !== undefined && { blobGasUsed: quantity(header.blobGasUsed) }),
      ...(header.excessBlobGas !== undefined && { excessBlobGas: quantity(header.excessBlobGas) }),
    },
    // priority fees that the fee recipient receives, wei
    blockValue: quantity(value),
    blobsBundle: { commitments: [], proofs: [], blobs: [] },
    ...(requests && { executionRequests: requests.map(hex) }),
    shouldOverrideBuilder: false,
  };
}
