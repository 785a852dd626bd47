// Items of a stored receipt (receipt-fields.ts). An optional item is a list of at most one item.
import { writeAddress } from '../state/accounts.ts';
import { isFailure } from '../evm/end-frame.ts';
import {
  BLOCK_BLOB_FEE, BLOCK_ROOTS_RECEIPTS, RECORD_BLOOM, RESULT_BLOB_GAS, RESULT_CREATED, RESULT_HALT, RESULT_STATE_ROOT, SCRATCH, SCRATCH_2, TX_TYPE,
} from '../memory/layout.ts';
import {
  headSize, item, itemSize, moveTo, nextItem, startReading, startWriting, stringSize, writeHash, writeHead, writeString, written,
} from '../memory/rlp.ts';
import { BLOB } from '../transaction/transaction.ts';
import { reverse, setWord } from '../memory/words.ts';

/** address of the receipt's bloom filter, and of its list of logs including the list's head */
let bloom: usize = 0;
let bloomSize: u32 = 0;
let logList: usize = 0;
let logSize: u32 = 0;
let hasLogs: bool = false;

/** Reads the last transaction's receipt in its encoding for the receipts root, n bytes: [status or state root, gas, bloom filter, logs]. */
export function readReceipt(receipt: usize, n: u32): void {
  startReading(load<u32>(TX_TYPE) == 0 ? receipt : receipt + 1, receipt + n);
  nextItem();
  moveTo(item);
  nextItem();
  nextItem();
  nextItem();
  bloom = item;
  bloomSize = itemSize;
  store<u32>(RECORD_BLOOM, <u32>bloom);
  nextItem();
  hasLogs = itemSize > 0;
  logList = item - headSize(itemSize);
  logSize = itemSize + headSize(itemSize);
}

export function writeStatus(): void {
  if (load<u32>(BLOCK_ROOTS_RECEIPTS)) {
    writeHead(0, 0xc0);
    return;
  }
  writeHead(1, 0xc0);
  store<u8>(SCRATCH, u32(!isFailure(load<u32>(RESULT_HALT))));
  writeString(SCRATCH, 1);
}

export function writeStateRoot(): void {
  const has = load<u32>(BLOCK_ROOTS_RECEIPTS);
  writeHead(has ? 33 : 0, 0xc0);
  if (has) writeHash(RESULT_STATE_ROOT);
}

export function writeBloom(): void {
  writeString(bloom, hasLogs ? bloomSize : 0);
}

export function writeLogs(): void {
  memory.copy(written, logList, logSize);
  startWriting(written + logSize);
}

/** Writes the address of the contract that the transaction has created. */
export function writeCreated(): void {
  const created: usize = load<u32>(RESULT_CREATED);
  writeHead(created ? 21 : 0, 0xc0);
  if (!created) return;
  writeAddress(SCRATCH_2, created);
  writeString(SCRATCH_2, 20);
}

export function writeBlobGas(): void {
  setWord(SCRATCH, load<u64>(RESULT_BLOB_GAS));
  writeOfBlobs(SCRATCH);
}

export function writeBlobGasPrice(): void {
  writeOfBlobs(BLOCK_BLOB_FEE);
}

/** Writes a number that only blob transactions have. */
function writeOfBlobs(word: usize): void {
  if (load<u32>(TX_TYPE) != BLOB) {
    writeHead(0, 0xc0);
    return;
  }
  reverse(SCRATCH_2, word);
  let zeros: u32 = 0;
  while (zeros < 32 && load<u8>(SCRATCH_2 + zeros) == 0) zeros++;
  writeHead(stringSize(SCRATCH_2 + zeros, 32 - zeros), 0xc0);
  writeString(SCRATCH_2 + zeros, 32 - zeros);
}
