// Members of a log's JSON (log-json.ts), and the size of logs.
import { writeAddress } from '../state/accounts.ts';
import { base, length } from '../memory/heap.ts';
import { writeHex, writeText } from './json.ts';
import { SCRATCH } from '../memory/layout.ts';
import { isTransfer, logs, nextLog } from '../evm/logs.ts';

/** maximum size of a log's JSON without its data, in bytes */
const LOG_ROOM: u32 = 1024;

/** Maximum size of the JSON of all logs, in bytes. */
export function roomForLogs(): u32 {
  let size: u32 = 0;
  const last = base(logs) + length(logs);
  for (let log = base(logs); log < last; log = nextLog(log)) size += LOG_ROOM + 2 * load<u32>(log, 4);
  return size;
}

export function writeLogAddress(log: usize): void {
  if (isTransfer(log)) memory.fill(SCRATCH, 0xee, 20);
  else writeAddress(SCRATCH, load<u32>(log, 8));
  writeHex(SCRATCH, 20);
}

export function writeTopics(log: usize): void {
  writeText('[');
  for (let i: u32 = 0; i < load<u32>(log); i++) {
    if (i > 0) writeText(',');
    writeHex(log + 16 + (i << 5), 32);
  }
  writeText(']');
}

export function writeLogData(log: usize): void {
  writeHex(log + 16 + (load<u32>(log) << 5), load<u32>(log, 4));
}
