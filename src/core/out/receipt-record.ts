// Records a transaction that has just got its receipt: the terms of its logs (src/chain/log-terms.ts), the transaction and its receipt as
// items of the store's lists (src/chain/store/block-codec.ts), and the receipt in its encoding for the receipts root.
import { writeAddress } from '../state/accounts.ts';
import { RAW, RAW_LENGTH, RECEIPT, RECEIPT_LENGTH, TRANSACTION_SIZE } from '../state/entries.ts';
import { base, createBuffer, extend, length, room, setLength } from '../memory/heap.ts';
import {
  RECORD_LOGS, RECORD_RECEIPT, RECORD_RECEIPT_LENGTH, RECORD_STORED, RECORD_STORED_LENGTH, SCRATCH, TX_FROM, TX_HASH,
} from '../memory/layout.ts';
import { isTransfer, logs, nextLog } from '../evm/logs.ts';
import { receiptAt, receiptItems, recordedHashes, transactionCount, transactionItems, transactions } from '../transaction/receipts.ts';
import { beginList, endList, listSize, startWriting, stringSize, writeHash, writeHead, writeString, written } from '../memory/rlp.ts';
import { inputs } from '../transaction/transaction.ts';
import { readReceipt } from './receipt-parts.ts';
import { writeReceiptFields } from './receipt-fields.ts';
import { copyWord, reverse } from '../memory/words.ts';

/** maximum difference between the sizes of a stored receipt and of its encoding for the receipts root, in bytes */
const STORED_ROOM: u32 = 256;
const GOLDEN_RATIO: u32 = 0x9e3779b1;

let terms: usize = 0;

export function setupReceiptRecord(): void {
  terms = createBuffer(8);
}

/** Records the last transaction of the open block, which is signed and has just got its receipt: see RECORD_STORED. */
export function recordReceipt(): void {
  const row = base(transactions) + (transactionCount() - 1) * TRANSACTION_SIZE;
  addTransactionItem(base(inputs) + load<u32>(row, RAW), load<u32>(row, RAW_LENGTH));
  copyWord(extend(recordedHashes, 32), TX_HASH);
  const n = load<u32>(row, RECEIPT_LENGTH), receipt = receiptAt(load<u32>(row, RECEIPT));
  const stored = room(receiptItems, n + STORED_ROOM);
  readReceipt(receipt, n);
  beginList(stored);
  writeReceiptFields();
  const start = endList(stored), size = <u32>(written - start);
  memory.copy(stored, start, size);
  setLength(receiptItems, length(receiptItems) + size);
  store<u32>(RECORD_STORED, <u32>stored);
  store<u32>(RECORD_STORED_LENGTH, size);
  store<u32>(RECORD_RECEIPT, <u32>receipt);
  store<u32>(RECORD_RECEIPT_LENGTH, n);
}

/** Adds the item [encoding, hash, sender, not impersonated]. */
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
 * Computes the terms of the transaction's logs, 4 bytes each: for each log its address, then its topics. Counts the logs: RECORD_LOGS.
 * @returns the number of terms, which are at termsBase()
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

/** Whether the transaction has emitted a log of an account. */
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
