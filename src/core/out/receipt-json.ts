// The receipt of a block of one transaction as JSON.
import { writeAddress } from '../state/accounts.ts';
import { isFailure } from '../evm/end-frame.ts';
import { base, createBuffer, length, room } from '../memory/heap.ts';
import { end, startJson, writeAddressWord, writeDigits, writeHex, writeQuantity, writeText, writeWordQuantity } from './json.ts';
import {
  BLOCK_BLOOM, BLOCK_GAS_USED, BLOCK_HASH, BLOCK_NUMBER, BLOCK_ROOTS_RECEIPTS, RESULT_CREATED, RESULT_GAS_USED, RESULT_HALT, RESULT_STATE_ROOT, SCRATCH, TX_FROM,
  TX_GAS_PRICE, TX_HAS_TO, TX_HASH, TX_TO, TX_TYPE,
} from '../memory/layout.ts';
import { roomForLogs, writeLogFromHash, writeLogToHash } from './log-json.ts';
import { logs, nextLog } from '../evm/logs.ts';

/** bytes besides the logs, at most */
const RECEIPT_ROOM: u32 = 2048;

let receipt: usize = 0;

export function setupReceiptJson(): void {
  receipt = createBuffer(12);
}

/** Writes the receipt of the only transaction of the block that has just been sealed. @returns its length in bytes */
export function writeReceipt(): u32 {
  const start = room(receipt, RECEIPT_ROOM + roomForLogs());
  startJson(start);
  writeText('{"blockHash":');
  writeHex(BLOCK_HASH, 32);
  writeText(',"blockNumber":');
  writeQuantity(load<u64>(BLOCK_NUMBER));
  writeText(',"transactionHash":');
  writeHex(TX_HASH, 32);
  writeText(',"transactionIndex":"0x0","type":');
  writeQuantity(load<u32>(TX_TYPE));
  if (load<u32>(BLOCK_ROOTS_RECEIPTS)) {
    writeText(',"root":');
    writeHex(RESULT_STATE_ROOT, 32);
    writeText(',"from":');
  } else if (isFailure(load<u32>(RESULT_HALT))) writeText(',"status":"0x0","from":');
  else writeText(',"status":"0x1","from":');
  writeAddressWord(TX_FROM);
  writeText(',"to":');
  if (load<u32>(TX_HAS_TO)) writeAddressWord(TX_TO);
  else writeText('null');
  writeText(',"contractAddress":');
  const created: usize = load<u32>(RESULT_CREATED);
  if (created) {
    writeAddress(SCRATCH, created);
    writeHex(SCRATCH, 20);
  } else writeText('null');
  writeText(',"cumulativeGasUsed":');
  writeQuantity(load<u64>(BLOCK_GAS_USED));
  writeText(',"gasUsed":');
  writeQuantity(load<u64>(RESULT_GAS_USED));
  writeText(',"effectiveGasPrice":');
  writeWordQuantity(TX_GAS_PRICE);
  writeText(',"logs":[');
  writeLogs();
  writeText('],"logsBloom":');
  writeHex(BLOCK_BLOOM, 256);
  writeText('}');
  return <u32>(end - start);
}

/** Where it is. */
export function receiptBase(): usize {
  return base(receipt);
}

function writeLogs(): void {
  const last = base(logs) + length(logs);
  let index: u64 = 0;
  for (let log = base(logs); log < last; log = nextLog(log)) {
    if (index > 0) writeText(',');
    writeLogToHash(log, 0);
    writeDigits(BLOCK_HASH, 32);
    writeLogFromHash(index++);
  }
}
