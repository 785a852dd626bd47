// Logs of the running transaction as JSON. The hash of their block may not be known yet: the caller writes it.
import { writeAddress } from '../state/accounts.ts';
import { base, length } from '../memory/heap.ts';
import { writeHex, writeQuantity, writeText } from './json.ts';
import { BLOCK_NUMBER, BLOCK_TIME, SCRATCH, TX_HASH } from '../memory/layout.ts';
import { isTransfer, logs, nextLog } from '../evm/logs.ts';

/** bytes of a log besides its data, at most */
const LOG_ROOM: u32 = 1024;

/** Bytes that all logs take, at most. */
export function roomForLogs(): u32 {
  let size: u32 = 0;
  const last = base(logs) + length(logs);
  for (let log = base(logs); log < last; log = nextLog(log)) size += LOG_ROOM + 2 * load<u32>(log, 4);
  return size;
}

/** Writes a log up to the digits of the hash of its block. @param transaction its index in the block */
export function writeLogToHash(log: usize, transaction: u32): void {
  const topics = load<u32>(log);
  if (isTransfer(log)) memory.fill(SCRATCH, 0xee, 20);
  else writeAddress(SCRATCH, load<u32>(log, 8));
  writeText('{"address":');
  writeHex(SCRATCH, 20);
  writeText(',"topics":[');
  for (let i: u32 = 0; i < topics; i++) {
    if (i > 0) writeText(',');
    writeHex(log + 16 + (i << 5), 32);
  }
  writeText('],"data":');
  writeHex(log + 16 + (topics << 5), load<u32>(log, 4));
  writeText(',"blockNumber":');
  writeQuantity(load<u64>(BLOCK_NUMBER));
  writeText(',"transactionHash":');
  writeHex(TX_HASH, 32);
  writeText(',"transactionIndex":');
  writeQuantity(transaction);
  writeText(',"blockHash":"0x');
}

/** Writes what follows these digits. @param index of the log in the block */
export function writeLogFromHash(index: u64): void {
  writeText('","blockTimestamp":');
  writeQuantity(load<u64>(BLOCK_TIME));
  writeText(',"logIndex":');
  writeQuantity(index);
  writeText(',"removed":false}');
}
