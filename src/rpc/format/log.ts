import type { LoggedBlock } from '../../chain/refs.ts';
import type { LogFieldName } from '../../core/tables/fields.ts';
import type { Log } from '../../protocol/types.ts';
import { hex, quantity } from '../codec/hex.ts';

/** A log in `eth_getLogs`, receipts and subscriptions. */
export type RpcLog = ReturnType<typeof formatLog>;

/**
 * @param transactionIndex index of its transaction in the block
 * @param logIndex index of the log in the block
 */
export function formatLog(log: Log, block: LoggedBlock, transactionIndex: number, logIndex: number) {
  const formatted = {
    address: log.address.toString(),
    topics: log.topics.map(hex),
    data: hex(log.data),
    blockNumber: quantity(block.header.number),
    transactionHash: hex(block.transactions[transactionIndex]!.hash),
    transactionIndex: quantity(transactionIndex),
    blockHash: hex(block.hash),
    blockTimestamp: quantity(block.header.timestamp),
    // As on Base since Denim: only on chains with more than one block per second.
    ...(block.timestampMs !== undefined && { blockTimestampMs: quantity(block.timestampMs) }),
    logIndex: quantity(logIndex),
    removed: false,
  } satisfies Partial<Record<LogFieldName, unknown>>;
  return formatted;
}
