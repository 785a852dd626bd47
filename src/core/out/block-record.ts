// A block of one transaction or none, and no withdrawals, is sealed in one step, with all that the store keeps of it: its records stand
// behind what is unstored, in the same form. src/chain/store/block-codec.ts and keys.ts say what their values consist of.
import { accessListBase, accessListLength } from './access-list.ts';
import { encodeHeader, updateListRoots } from '../block/block.ts';
import {
  RAW, RAW_LENGTH, RECEIPT, RECEIPT_LENGTH, STORED_ACCESS_LIST, STORED_BODY, STORED_HEADER, STORED_RECEIPTS, STORED_TAIL, STORED_TRANSACTION,
} from '../state/entries.ts';
import { base, createBuffer, room } from '../memory/heap.ts';
import { BLOCK_HASH, BLOCK_NUMBER, BLOCK_WITHDRAWALS_ROOT, EMPTY_TRIE_ROOT, SCRATCH, TX_FROM, TX_HASH, TX_TYPE } from '../memory/layout.ts';
import { writeStoredReceipt } from './receipt-record.ts';
import { receiptAt, transactionCount, transactions } from '../transaction/receipts.ts';
import {
  beginList, endList, headSize, listSize, startWriting, stringSize, writeHash, writeHead, writeInteger, writeString, written,
} from '../memory/rlp.ts';
import { inputs } from '../transaction/transaction.ts';
import { addRecord, listUnstored, unstoredBase, unstoredLength } from '../trie/unstored.ts';
import { EIP_4895, EIP_7928 } from '../tables/rule.ts';
import { copyWord, reverse } from '../memory/words.ts';

/** bytes besides the encoding of the transaction, and besides that of the receipt */
const BODY_ROOM: u32 = 128;
const RECEIPTS_ROOM: u32 = 512;

let buffer: usize = 0;
/** where the receipts are among what is unstored */
let receiptsAt: u32 = 0;
let receiptsLength: u32 = 0;

export function setupBlockRecord(): void {
  buffer = createBuffer(12);
}

/**
 * Ends the open block, whose state is folded, and whose access list is made, and lists what is unstored and the records of the block.
 * @returns the size of the block in bytes, as the network encodes it
 */
export function sealSingle(): u32 {
  listUnstored();
  copyWord(BLOCK_WITHDRAWALS_ROOT, EMPTY_TRIE_ROOT);
  updateListRoots();
  const header = encodeHeader(), headerLength = <u32>(written - header);
  addRecord(STORED_HEADER, BLOCK_HASH, header, headerLength);
  if (load<u32>(EIP_7928)) addRecord(STORED_ACCESS_LIST, BLOCK_HASH, accessListBase(), accessListLength());
  // Behind the transactions are an empty list of uncles, and one of withdrawals where blocks have them.
  const lists: u32 = load<u32>(EIP_4895) ? 2 : 1;
  if (!transactionCount()) return recordEmpty(listSize(headerLength + 1 + lists), lists);
  const row = base(transactions), n = load<u32>(row, RAW_LENGTH), type = load<u32>(TX_TYPE);
  // A legacy transaction is a list in the block, any other one a string.
  const inBlock = type == 0 ? n : n + headSize(n);
  const size = listSize(headerLength + listSize(inBlock) + lists);
  recordBody(base(inputs) + load<u32>(row, RAW), n, size, lists);
  recordReceipts(receiptAt(load<u32>(row, RECEIPT)), load<u32>(row, RECEIPT_LENGTH), type);
  const position = addRecord(STORED_TRANSACTION, TX_HASH, 0, 44);
  copyWord(position, BLOCK_HASH);
  store<u64>(position, bswap<u64>(load<u64>(BLOCK_NUMBER)), 32);
  store<u32>(position, 0, 40);
  return size;
}

/** [size, no transactions, no uncles, no withdrawals], and no receipts. @param lists behind the transactions. @returns the size */
function recordEmpty(size: u32, lists: u32): u32 {
  const at = room(buffer, BODY_ROOM);
  beginList(at);
  writeInteger(size);
  for (let i: u32 = 0; i <= lists; i++) writeHead(0, 0xc0);
  add(STORED_BODY, endList(at));
  startWriting(at);
  writeHead(0, 0xc0);
  addReceipts(at);
  return size;
}

/** [size, [[raw, hash, sender, not impersonated]], no uncles, no withdrawals] */
function recordBody(raw: usize, n: u32, size: u32, lists: u32): void {
  const at = room(buffer, n + BODY_ROOM);
  beginList(at);
  writeInteger(size);
  const fields = stringSize(raw, n) + 33 + 21 + 1;
  writeHead(listSize(fields), 0xc0);
  writeHead(fields, 0xc0);
  writeString(raw, n);
  writeHash(TX_HASH);
  reverse(SCRATCH, TX_FROM);
  writeString(SCRATCH + 12, 20);
  writeHead(0, 0x80);
  for (let i: u32 = 0; i < lists; i++) writeHead(0, 0xc0);
  add(STORED_BODY, endList(at));
}

/** A list of the only receipt. */
function recordReceipts(receipt: usize, n: u32, type: u32): void {
  const start = writeStoredReceipt(room(buffer, n + RECEIPTS_ROOM), receipt, n, type);
  const end = written, length = <u32>(end - start), all = start - headSize(length);
  startWriting(all);
  writeHead(length, 0xc0);
  startWriting(end);
  addReceipts(all);
}

function addReceipts(start: usize): void {
  add(STORED_RECEIPTS, start);
  receiptsLength = <u32>(written - start);
  receiptsAt = unstoredLength() - STORED_TAIL - receiptsLength;
}

function add(kind: u32, start: usize): void {
  addRecord(kind, BLOCK_HASH, start, <u32>(written - start));
}

/** The receipts as they are among the records, until the next block. */
export function storedReceiptsBase(): usize {
  return unstoredBase() + receiptsAt;
}

export function storedReceiptsLength(): u32 {
  return receiptsLength;
}
