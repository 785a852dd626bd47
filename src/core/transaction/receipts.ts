// Receipts of the open block in their encoding for the receipts root (EIP-2718, EIP-658), and the block's bloom filter.
import { RAW, RAW_LENGTH, RECEIPT, RECEIPT_LENGTH, TRANSACTION_SIZE } from '../state/entries.ts';
import { closeIndex } from '../state/accesses.ts';
import { addressHash, writeAddress } from '../state/accounts.ts';
import { base, createBuffer, extend, length, room, setLength } from '../memory/heap.ts';
import { knownHash } from '../state/known-hashes.ts';
import {
  BLOCK_BLOB_GAS_USED, BLOCK_BLOOM, BLOCK_EXECUTION_GAS, BLOCK_GAS_USED, BLOCK_ROOTS_RECEIPTS, BLOCK_STATE_GAS, BLOCK_STATE_ROOT,
  RESULT_EXECUTION_GAS, RESULT_STATE_GAS, RESULT_STATE_ROOT, SCRATCH, TX_NONCE, TX_RAW, TX_RAW_LENGTH, TX_TYPE,
  VALUE_BUFFER,
} from '../memory/layout.ts';
import { isTransfer, logs, nextLog } from '../evm/logs.ts';
import { DEPOSIT } from './validity.ts';
import { copyWord } from '../memory/words.ts';
import {
  beginList, endList, headSize, item, moveTo, nextBytes, nextList, startReading, stringSize, writeHash, writeHead, writeInteger, writeString, written,
} from '../memory/rlp.ts';

const BLOOM_SIZE: u32 = 256;

let receipts: usize = 0;
/** rows of the block's transactions: see entries.ts */
export let transactions: usize = 0;
/**
 * For the recorded transactions (out/receipt-record.ts), concatenated: items of the store's lists of transactions and of receipts, and the
 * hashes of the transactions, 32 bytes each.
 */
export let transactionItems: usize = 0;
export let receiptItems: usize = 0;
export let recordedHashes: usize = 0;

export function setupReceipts(): void {
  receipts = createBuffer(16);
  transactions = createBuffer(12);
  transactionItems = createBuffer(12);
  receiptItems = createBuffer(12);
  recordedHashes = createBuffer(8);
}

export function clearReceipts(): void {
  setLength(receipts, 0);
  setLength(transactions, 0);
  setLength(transactionItems, 0);
  setLength(receiptItems, 0);
  setLength(recordedHashes, 0);
  memory.fill(BLOCK_BLOOM, 0, BLOOM_SIZE);
}

export function receiptAt(offset: u32): usize {
  return base(receipts) + offset;
}

/** The address of the list of transactions. */
export function transactionsBase(): usize {
  return base(transactions);
}

export function transactionCount(): u32 {
  return length(transactions) / TRANSACTION_SIZE;
}

/** Adds the receipt of the transaction that has just ended. */
export function addReceipt(success: bool, gasUsed: i64, blobGas: u64): void {
  store<i64>(BLOCK_GAS_USED, load<i64>(BLOCK_GAS_USED) + gasUsed);
  store<i64>(BLOCK_EXECUTION_GAS, load<i64>(BLOCK_EXECUTION_GAS) + load<i64>(RESULT_EXECUTION_GAS));
  store<i64>(BLOCK_STATE_GAS, load<i64>(BLOCK_STATE_GAS) + load<i64>(RESULT_STATE_GAS));
  closeIndex();
  store<u64>(BLOCK_BLOB_GAS_USED, load<u64>(BLOCK_BLOB_GAS_USED) + blobGas);
  const bloom = VALUE_BUFFER;
  memory.fill(bloom, 0, BLOOM_SIZE);
  const end = base(logs) + length(logs);
  let payload: u32 = 0;
  for (let at = base(logs); at < end; at = nextLog(at)) {
    if (isTransfer(at)) continue;
    addToBloom(bloom, at);
    const size = logSize(at);
    payload += size + headSize(size);
  }
  const buffer = room(receipts, payload + BLOOM_SIZE + 64);
  beginList(buffer);
  // The root is written later, when the state has been folded into the tries: setReceiptRoot().
  if (load<u32>(BLOCK_ROOTS_RECEIPTS)) writeHash(BLOCK_STATE_ROOT);
  else writeInteger(u64(success));
  writeInteger(load<u64>(BLOCK_GAS_USED));
  writeString(bloom, BLOOM_SIZE);
  writeHead(payload, 0xc0);
  for (let at = base(logs); at < end; at = nextLog(at)) {
    if (!isTransfer(at)) writeLog(at);
  }
  const type = load<u32>(TX_TYPE);
  if (type == DEPOSIT) {
    // Since Canyon: the sender's nonce, and the version of deposit receipts.
    writeInteger(load<u64>(TX_NONCE));
    writeInteger(1);
  }
  let start = endList(buffer);
  if (type) store<u8>(--start, type);
  for (let i: usize = 0; i < BLOOM_SIZE; i += 16) {
    v128.store(BLOCK_BLOOM + i, v128.or(v128.load(BLOCK_BLOOM + i), v128.load(bloom + i)));
  }
  const entry = extend(transactions, TRANSACTION_SIZE);
  store<u32>(entry, load<u32>(TX_RAW), RAW);
  store<u32>(entry, load<u32>(TX_RAW_LENGTH), RAW_LENGTH);
  store<u32>(entry, <u32>(start - base(receipts)), RECEIPT);
  store<u32>(entry, <u32>(written - start), RECEIPT_LENGTH);
  setLength(receipts, <u32>(written - base(receipts)));
}

/** Called when the state has been folded into the tries: writes its root into the last receipt, which has room for it. */
export function setReceiptRoot(): void {
  const entry = base(transactions) + length(transactions) - TRANSACTION_SIZE, start = receiptAt(load<u32>(entry, RECEIPT));
  const isTyped = load<u8>(start) < 0x80 ? 1 : 0;
  startReading(start + isTyped, start + load<u32>(entry, RECEIPT_LENGTH));
  nextList();
  moveTo(item);
  nextBytes(32);
  copyWord(item, BLOCK_STATE_ROOT);
  copyWord(RESULT_STATE_ROOT, BLOCK_STATE_ROOT);
}

function dataOf(at: usize): usize {
  return at + 16 + (<usize>load<u32>(at) << 5);
}

/** Size of a log's RLP without the head: address, topics, data. */
function logSize(at: usize): u32 {
  const topics = 33 * load<u32>(at);
  return 21 + topics + headSize(topics) + stringSize(dataOf(at), load<u32>(at, 4));
}

function writeLog(at: usize): void {
  const topics = load<u32>(at);
  writeHead(logSize(at), 0xc0);
  writeAddress(SCRATCH, load<u32>(at, 8));
  writeString(SCRATCH, 20);
  writeHead(33 * topics, 0xc0);
  for (let i: u32 = 0; i < topics; i++) writeHash(at + 16 + (i << 5));
  writeString(dataOf(at), load<u32>(at, 4));
}

function addToBloom(bloom: usize, at: usize): void {
  setBits(bloom, addressHash(load<u32>(at, 8)));
  for (let i: u32 = 0; i < load<u32>(at); i++) setBits(bloom, knownHash(at + 16 + (i << 5), 32));
}

/** Sets three of 2048 bits (yellow paper, section 4.3.1). */
function setBits(bloom: usize, hash: usize): void {
  for (let i: usize = 0; i < 6; i += 2) {
    const bit = ((<u32>load<u8>(hash + i) << 8) | <u32>load<u8>(hash + i + 1)) & 2047;
    const at = bloom + 255 - (bit >> 3);
    store<u8>(at, <u32>load<u8>(at) | (1 << (bit & 7)));
  }
}
