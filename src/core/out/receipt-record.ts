// What is kept of a transaction that has just got its receipt: the terms of its logs (src/chain/log-terms.ts), itself and its receipt as
// items of the lists that the store has (src/chain/store/block-codec.ts), and the receipt as the receipts root is made of it.
import { writeAddress } from '../state/accounts.ts';
import { isFailure } from '../evm/end-frame.ts';
import { RAW, RAW_LENGTH, RECEIPT, RECEIPT_LENGTH, TRANSACTION_SIZE } from '../state/entries.ts';
import { base, createBuffer, extend, length, room, setLength } from '../memory/heap.ts';
import {
  BLOCK_BLOB_FEE, BLOCK_GAS_USED, BLOCK_ROOTS_RECEIPTS, RECORD_BLOOM, RECORD_LOGS, RECORD_RECEIPT, RECORD_RECEIPT_LENGTH, RECORD_STORED, RECORD_STORED_LENGTH,
  RESULT_BLOB_GAS, RESULT_CREATED, RESULT_GAS_USED, RESULT_HALT, RESULT_STATE_ROOT, SCRATCH, SCRATCH_2, TX_FROM, TX_GAS_PRICE, TX_HASH, TX_TYPE,
} from '../memory/layout.ts';
import { isTransfer, logs, nextLog } from '../evm/logs.ts';
import { receiptAt, receiptItems, recordedHashes, transactionCount, transactionItems, transactions } from '../transaction/receipts.ts';
import {
  beginList, endList, headSize, item, itemSize, listSize, moveTo, nextItem, startReading, startWriting, stringSize, writeHash, writeHead, writeInteger,
  writeString, writeWord, written,
} from '../memory/rlp.ts';
import { BLOB, inputs } from '../transaction/transaction.ts';
import { copyWord, reverse, setWord } from '../memory/words.ts';

/** bytes of a stored receipt besides what its encoding for the receipts root has, at most */
const STORED_ROOM: u32 = 256;
const GOLDEN_RATIO: u32 = 0x9e3779b1;

let terms: usize = 0;

export function setupReceiptRecord(): void {
  terms = createBuffer(8);
}

/** Writes down the last transaction of the open block, which was signed and has just got its receipt: see RECORD_STORED. */
export function recordReceipt(): void {
  const row = base(transactions) + (transactionCount() - 1) * TRANSACTION_SIZE;
  addTransactionItem(base(inputs) + load<u32>(row, RAW), load<u32>(row, RAW_LENGTH));
  copyWord(extend(recordedHashes, 32), TX_HASH);
  const n = load<u32>(row, RECEIPT_LENGTH), receipt = receiptAt(load<u32>(row, RECEIPT));
  const stored = room(receiptItems, n + STORED_ROOM);
  const start = writeStoredReceipt(stored, receipt, n, load<u32>(TX_TYPE)), size = <u32>(written - start);
  memory.copy(stored, start, size);
  setLength(receiptItems, length(receiptItems) + size);
  store<u32>(RECORD_STORED, <u32>stored);
  store<u32>(RECORD_STORED_LENGTH, size);
  store<u32>(RECORD_RECEIPT, <u32>receipt);
  store<u32>(RECORD_RECEIPT_LENGTH, n);
}

/** [its encoding, hash, sender, not impersonated] */
function addTransactionItem(raw: usize, n: u32): void {
  const fields = stringSize(raw, n) + 33 + 21 + 1;
  startWriting(extend(transactionItems, listSize(fields)));
  writeHead(fields, 0xc0);
  writeString(raw, n);
  writeHash(TX_HASH);
  reverse(SCRATCH, TX_FROM);
  writeString(SCRATCH + 12, 20);
  writeHead(0, 0x80);
}

/**
 * Writes the fields of a receipt in the order of `Receipt`; an optional one is a list of at most one item.
 * @param receipt its encoding for the receipts root, of n bytes
 * @returns where the list begins
 */
function writeStoredReceipt(at: usize, receipt: usize, n: u32, type: u32): usize {
  startReading(type == 0 ? receipt : receipt + 1, receipt + n);
  nextItem();
  moveTo(item);
  nextItem();
  nextItem();
  nextItem();
  const bloom = item, bloomSize = itemSize;
  nextItem();
  const logList = item - headSize(itemSize), logSize = itemSize + headSize(itemSize), hasLogs = itemSize > 0;
  const created: usize = load<u32>(RESULT_CREATED);
  store<u32>(RECORD_BLOOM, <u32>bloom);
  beginList(at);
  writeInteger(type);
  if (load<u32>(BLOCK_ROOTS_RECEIPTS)) {
    writeHead(0, 0xc0);
    writeHead(33, 0xc0);
    writeHash(RESULT_STATE_ROOT);
  } else {
    writeHead(1, 0xc0);
    store<u8>(SCRATCH, u32(!isFailure(load<u32>(RESULT_HALT))));
    writeString(SCRATCH, 1);
    writeHead(0, 0xc0);
  }
  writeInteger(load<u64>(RESULT_GAS_USED));
  writeInteger(load<u64>(BLOCK_GAS_USED));
  writeString(bloom, hasLogs ? bloomSize : 0);
  memory.copy(written, logList, logSize);
  startWriting(written + logSize);
  writeHead(created ? 21 : 0, 0xc0);
  if (created) {
    writeAddress(SCRATCH_2, created);
    writeString(SCRATCH_2, 20);
  }
  writeWord(TX_GAS_PRICE);
  if (type == BLOB) {
    setWord(SCRATCH, load<u64>(RESULT_BLOB_GAS));
    writeOptional(SCRATCH);
    writeOptional(BLOCK_BLOB_FEE);
  } else {
    writeHead(0, 0xc0);
    writeHead(0, 0xc0);
  }
  return endList(at);
}

/** A list of one number. */
function writeOptional(word: usize): void {
  reverse(SCRATCH_2, word);
  let zeros: u32 = 0;
  while (zeros < 32 && load<u8>(SCRATCH_2 + zeros) == 0) zeros++;
  writeHead(stringSize(SCRATCH_2 + zeros, 32 - zeros), 0xc0);
  writeString(SCRATCH_2 + zeros, 32 - zeros);
}

/**
 * The terms of the transaction's logs, 4 bytes each: of each log its address, then its topics. Counts the logs: RECORD_LOGS.
 * @returns how many terms; they are at termsBase()
 */
export function logTerms(): u32 {
  setLength(terms, 0);
  let count: u32 = 0;
  const end = base(logs) + length(logs);
  for (let at = base(logs); at < end; at = nextLog(at)) {
    if (isTransfer(at)) continue;
    count++;
    writeAddress(SCRATCH, load<u32>(at, 8));
    addTerm(SCRATCH, 20, 0);
    for (let i: u32 = 0; i < load<u32>(at); i++) addTerm(at + 16 + (i << 5), 32, i + 1);
  }
  store<u32>(RECORD_LOGS, count);
  return length(terms) >> 2;
}

/** Whether the transaction has left a log of an account. */
export function hasLogOf(account: u32): bool {
  const end = base(logs) + length(logs);
  for (let at = base(logs); at < end; at = nextLog(at)) if (load<u32>(at, 8) == account) return true;
  return false;
}

function addTerm(bytes: usize, n: u32, position: u32): void {
  let term: u32 = (position + 1) * GOLDEN_RATIO;
  for (let i: u32 = 0; i < n; i += 4) term ^= bswap<u32>(load<u32>(bytes + i));
  store<u32>(extend(terms, 4), term);
}

export function termsBase(): usize {
  return base(terms);
}
