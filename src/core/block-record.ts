// A block of one transaction and no withdrawals is sealed in one step, with all that the store keeps of it: its records stand
// behind what is unstored, in the same form. src/chain/store/block-codec.ts and keys.ts say what their values consist of.
import { writeAddress } from './accounts';
import { encodeHeader, updateListRoots } from './block';
import { isFailure } from './end-frame';
import {
  RAW, RAW_LENGTH, RECEIPT, RECEIPT_LENGTH, STORED_BODY, STORED_HEADER, STORED_RECEIPTS, STORED_TAIL, STORED_TRANSACTION,
} from './entries';
import { base, createBuffer, extend, length, room, setLength } from './heap';
import {
  BLOCK_BLOOM, BLOCK_GAS_USED, BLOCK_HASH, BLOCK_NUMBER, BLOCK_WITHDRAWALS_ROOT, EMPTY_TRIE_ROOT, RESULT_CREATED,
  RESULT_GAS_USED, RESULT_HALT, SCRATCH, SCRATCH_2, TX_FROM, TX_GAS_PRICE, TX_HASH, TX_TYPE,
} from './layout';
import { logs, nextLog } from './logs';
import { receiptAt, transactions } from './receipts';
import {
  beginList, endList, headSize, item, itemSize, listSize, moveTo, nextItem, startReading, startWriting, stringSize, writeHash, writeHead,
  writeInteger, writeString, writeWord, written,
} from './rlp';
import { inputs } from './transaction';
import { addRecord, listUnstored, unstoredBase, unstoredLength } from './unstored';
import { copyWord, reverse } from './words';

/** bytes besides the encoding of the transaction, and besides the logs */
const BODY_ROOM: u32 = 128;
const RECEIPTS_ROOM: u32 = 512;
const GOLDEN_RATIO: u32 = 0x9e3779b1;

let buffer: usize = 0;
/** see logTerms() */
let terms: usize = 0;
/** where the receipts are among what is unstored */
let receiptsAt: u32 = 0;
let receiptsLength: u32 = 0;

export function setupBlockRecord(): void {
  buffer = createBuffer(12);
  terms = createBuffer(8);
}

/**
 * Ends the open block, whose state is folded, and lists what is unstored and the records of the block.
 * @returns the size of the block in bytes, as the network encodes it
 */
export function sealSingle(): u32 {
  listUnstored();
  copyWord(BLOCK_WITHDRAWALS_ROOT, EMPTY_TRIE_ROOT);
  updateListRoots();
  const header = encodeHeader(), headerLength = <u32>(written - header);
  addRecord(STORED_HEADER, BLOCK_HASH, header, headerLength);
  const row = base(transactions), n = load<u32>(row, RAW_LENGTH), type = load<u32>(TX_TYPE);
  // A legacy transaction is a list in the block, any other one a string.
  const inBlock = type == 0 ? n : n + headSize(n);
  const size = listSize(headerLength + listSize(inBlock) + 2);
  recordBody(base(inputs) + load<u32>(row, RAW), n, size);
  recordReceipts(receiptAt(load<u32>(row, RECEIPT)), load<u32>(row, RECEIPT_LENGTH), type);
  const position = addRecord(STORED_TRANSACTION, TX_HASH, 0, 44);
  copyWord(position, BLOCK_HASH);
  store<u64>(position, bswap<u64>(load<u64>(BLOCK_NUMBER)), 32);
  store<u32>(position, 0, 40);
  return size;
}

/** [size, [[raw, hash, sender, not impersonated]], no uncles, no withdrawals] */
function recordBody(raw: usize, n: u32, size: u32): void {
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
  writeHead(0, 0xc0);
  writeHead(0, 0xc0);
  add(STORED_BODY, endList(at));
}

/** The fields of one receipt, in the order of `Receipt`; an optional one is a list of at most one item. */
function recordReceipts(receipt: usize, n: u32, type: u32): void {
  startReading(type == 0 ? receipt : receipt + 1, receipt + n);
  nextItem();
  moveTo(item);
  nextItem();
  nextItem();
  nextItem();
  nextItem();
  const logList = item - headSize(itemSize), logSize = itemSize + headSize(itemSize);
  const hasLogs = itemSize > 0, created: usize = load<u32>(RESULT_CREATED);
  const at = room(buffer, logSize + RECEIPTS_ROOM);
  beginList(at);
  writeInteger(type);
  writeHead(1, 0xc0);
  store<u8>(SCRATCH, u32(!isFailure(load<u32>(RESULT_HALT))));
  writeString(SCRATCH, 1);
  writeHead(0, 0xc0);
  writeInteger(load<u64>(RESULT_GAS_USED));
  writeInteger(load<u64>(BLOCK_GAS_USED));
  writeString(BLOCK_BLOOM, hasLogs ? 256 : 0);
  memory.copy(written, logList, logSize);
  startWriting(written + logSize);
  writeHead(created ? 21 : 0, 0xc0);
  if (created) {
    writeAddress(SCRATCH_2, created);
    writeString(SCRATCH_2, 20);
  }
  writeWord(TX_GAS_PRICE);
  writeHead(0, 0xc0);
  writeHead(0, 0xc0);
  const start = endList(at), end = written, length = <u32>(end - start), all = start - headSize(length);
  startWriting(all);
  writeHead(length, 0xc0);
  startWriting(end);
  add(STORED_RECEIPTS, all);
  receiptsLength = length + <u32>(start - all);
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

/**
 * The terms of the block's logs (src/chain/log-terms.ts), 4 bytes each: of each log its address, then its topics.
 * @returns how many; they are at termsBase()
 */
export function logTerms(): u32 {
  setLength(terms, 0);
  const end = base(logs) + length(logs);
  for (let at = base(logs); at < end; at = nextLog(at)) {
    writeAddress(SCRATCH, load<u32>(at, 8));
    addTerm(SCRATCH, 20, 0);
    for (let i: u32 = 0; i < load<u32>(at); i++) addTerm(at + 16 + (i << 5), 32, i + 1);
  }
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
