// Written by scripts/build/core-fields.mjs from tables/fields.ts: a log of the running transaction as JSON. The hash of its block is missing: the caller writes it.
import {
  BLOCK_NUMBER, BLOCK_TIME, TX_HASH,
} from '../memory/layout.ts';
import {
  writeHex, writeQuantity, writeText,
} from '../out/json.ts';
import {
  writeLogAddress, writeLogData, writeTopics,
} from '../out/log-parts.ts';

/** Writes it up to the digits of the hash of its block. */
export function writeLogToHash(log: usize, transaction: u32): void {
  writeText('{"address":');
  writeLogAddress(log);
  writeText(',"topics":');
  writeTopics(log);
  writeText(',"data":');
  writeLogData(log);
  writeText(',"blockNumber":');
  writeQuantity(load<u64>(BLOCK_NUMBER));
  writeText(',"transactionHash":');
  writeHex(TX_HASH, 32);
  writeText(',"transactionIndex":');
  writeQuantity(transaction);
  writeText(',"blockHash":"0x');
}

/** Writes what follows these digits. */
export function writeLogFromHash(index: u64): void {
  writeText('"');
  writeText(',"blockTimestamp":');
  writeQuantity(load<u64>(BLOCK_TIME));
  writeText(',"logIndex":');
  writeQuantity(index);
  writeText(',"removed":');
  writeText('false');
  writeText('}');
}
