// Simulated blocks as a JSON list: for each its header, its transactions or their hashes, and the result of each call with its logs.
import { makeAccessList } from './access-list.ts';
import { encodeHeader, findRequests, headerGas, headerLength, transactionBytes, updateListRoots } from '../block/block.ts';
import { beginIndex, closeIndex } from '../state/accesses.ts';
import { NONE } from '../memory/halts.ts';
import { base, createBuffer, extend, length, room, setLength } from '../memory/heap.ts';
import { end, startJson, writeBytes, writeDigits, writeHex, writeQuantity, writeText } from './json.ts';
import {
  BLOCK_HAS_REQUESTS, BLOCK_HASH, BLOCK_REQUESTS_HASH, BLOCK_STATE_ROOT, BLOCK_WITHDRAWALS_ROOT, EMPTY_TRIE_ROOT, RESULT_DATA,
  RESULT_DATA_LENGTH, RESULT_EMITTED_LOGS, RESULT_GAS_BEFORE_REFUND, RESULT_GAS_USED, TX_HASH,
} from '../memory/layout.ts';
import { writeHeaderJson } from './header-json.ts';
import { writeLogFromHash, writeLogToHash } from './log-json.ts';
import { roomForLogs } from './log-parts.ts';
import { logs, nextLog } from '../evm/logs.ts';
import { writeTransactionFromHash, writeTransactionToHash } from './transaction-json.ts';
import { roomForTransaction } from './transaction-parts.ts';
import { transactionCount } from '../transaction/receipts.ts';
import { listSize } from '../memory/rlp.ts';
import { copyWord } from '../memory/words.ts';
import { EIP_4895, EIP_7685 } from '../tables/rule.ts';

/** maximum size in bytes of a result without return data, error and logs; of a block without results and transactions */
const RESULT_ROOM: u32 = 256;
const BLOCK_ROOM: u32 = 4096;
/** hexadecimal digits of a hash */
const DIGITS: u32 = 64;

/** maximum size in bytes of a block's results, and of its transactions */
const MAX_BYTES: u32 = 1 << 26;
/** `[]` */
const EMPTY_LIST: usize = memory.data<u8>([0x5b, 0x5d]);
/** EIP-7685: the requests hash of an empty list of requests: SHA-256 of no bytes */
const NO_REQUESTS: usize = memory.data<u8>([
  0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
  0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
]);
const ZERO_ROOT: usize = memory.data(32);
const ROOT_OF_TRIES: usize = memory.data(32);

/** the results so far, separated by commas */
let results: usize = 0;
/** offsets in the results at which the block hash is to be inserted, 4 bytes each */
let gaps: usize = 0;
/** the transactions or their hashes, separated by commas */
let items: usize = 0;
/** offsets in the transactions at which the block hash is to be inserted, 4 bytes each */
let itemGaps: usize = 0;
/** whether whole transactions are written */
let isFull: bool = false;
/** the JSON of the blocks so far */
let blocks: usize = 0;
let blockCount: u32 = 0;
/** number of logs of the open block so far, including those of reverted frames */
let emitted: u64 = 0;

export function setupBlockJson(): void {
  results = createBuffer(14);
  gaps = createBuffer(10);
  items = createBuffer(12);
  itemGaps = createBuffer(6);
  blocks = createBuffer(16);
}

/**
 * Begins a list of blocks; its first block is open or about to be opened.
 * @param full 1: with whole transactions, 0: with their hashes
 */
export function startBlocks(full: u32): void {
  isFull = full != 0;
  setLength(blocks, 0);
  blockCount = 0;
  clearResults();
}

function clearResults(): void {
  setLength(results, 0);
  setLength(gaps, 0);
  setLength(items, 0);
  setLength(itemGaps, 0);
  emitted = 0;
}

/**
 * Adds the transaction that has just got its receipt, and its result.
 * @param error address of the JSON of its error
 * @param n length of that JSON; 0 = the transaction succeeded
 * @returns false, without adding anything, when the block would exceed the maximum size
 */
export function addResult(error: usize, n: u32): bool {
  const success = n == 0, index = transactionCount() - 1, size = success ? load<u32>(RESULT_DATA_LENGTH) : 0;
  const itemSize = isFull ? roomForTransaction() : DIGITS + 16;
  if (<u64>length(items) + itemSize > MAX_BYTES) return false;
  if (<u64>length(results) + n + 2 * (<u64>size + length(logs)) > MAX_BYTES) return false;
  addTransaction(index, itemSize);

  startJson(room(results, RESULT_ROOM + 2 * size + n + roomForLogs()));
  if (index > 0) writeText(',');
  if (success) writeText('{"status":"0x1","returnData":');
  else writeText('{"status":"0x0","returnData":');
  writeHex(load<u32>(RESULT_DATA), size);
  writeText(',"gasUsed":');
  writeQuantity(load<u64>(RESULT_GAS_USED));
  writeText(',"maxUsedGas":');
  writeQuantity(load<u64>(RESULT_GAS_BEFORE_REFUND));
  writeText(',"logs":[');
  if (length(logs) > 0) {
    const last = base(logs) + length(logs);
    for (let log = base(logs); log < last; log = nextLog(log)) {
      if (log > base(logs)) writeText(',');
      writeLogToHash(log, index);
      store<u32>(extend(gaps, 4), <u32>(end - base(results)));
      startJson(end + DIGITS);
      writeLogFromHash(emitted + load<u32>(log, 12));
    }
  }
  emitted += load<u32>(RESULT_EMITTED_LOGS);
  writeText(']');
  if (!success) {
    writeText(',"error":');
    writeBytes(error, n);
  }
  writeText('}');
  setLength(results, <u32>(end - base(results)));
  return true;
}

/** @param n maximum size in bytes */
function addTransaction(index: u32, n: u32): void {
  startJson(room(items, n));
  if (index > 0) writeText(',');
  if (isFull) {
    writeTransactionToHash();
    store<u32>(extend(itemGaps, 4), <u32>(end - base(items)));
    startJson(end + DIGITS);
    writeTransactionFromHash(index);
  } else writeHex(TX_HASH, 32);
  setLength(items, <u32>(end - base(items)));
}

/**
 * Seals the open block like {@link sealWithResults}, for a block without withdrawals and state root.
 * @returns NONE; MISSING or OTHER_CODE, see findRequests(): nothing has changed then
 */
export function sealWithoutWithdrawals(): i32 {
  const hasRequests = load<u32>(EIP_7685) != 0;
  beginIndex();
  if (hasRequests) {
    const found = findRequests();
    if (found != NONE) return found;
    copyWord(BLOCK_REQUESTS_HASH, NO_REQUESTS);
  }
  store<u32>(BLOCK_HAS_REQUESTS, u32(hasRequests));
  copyWord(BLOCK_WITHDRAWALS_ROOT, EMPTY_TRIE_ROOT);
  sealWithResults(ZERO_ROOT, EMPTY_LIST, 2, 1);
  return NONE;
}

/**
 * Seals the open block and appends its JSON. The host has written all header fields that precede the lists of transactions and receipts.
 * @param stateRoot address of the state root for the header
 * @param withdrawals address of the JSON of the withdrawals
 * @param n length of that JSON
 * @param withdrawalBytes length of the list of withdrawals in RLP
 */
export function sealWithResults(stateRoot: usize, withdrawals: usize, n: u32, withdrawalBytes: u32): void {
  updateListRoots();
  closeIndex();
  makeAccessList();
  // The tries keep their root at this address, and need it afterwards.
  copyWord(ROOT_OF_TRIES, BLOCK_STATE_ROOT);
  copyWord(BLOCK_STATE_ROOT, stateRoot);
  encodeHeader();
  fillGaps(results, gaps);
  fillGaps(items, itemGaps);
  startJson(room(blocks, BLOCK_ROOM + n + length(items) + length(results)));
  writeText(blockCount++ == 0 ? '[' : ',');
  writeHeaderJson(headerGas());
  const content = headerLength + listSize(transactionBytes()) + 1 + (load<u32>(EIP_4895) ? withdrawalBytes : 0);
  writeText(',"size":');
  writeQuantity(listSize(content));
  writeText(',"transactions":[');
  writeBytes(base(items), length(items));
  writeText('],"uncles":[]');
  if (load<u32>(EIP_4895)) {
    writeText(',"withdrawals":');
    writeBytes(withdrawals, n);
  }
  writeText(',"calls":[');
  writeBytes(base(results), length(results));
  writeText(']}');
  endJson();
  clearResults();
  copyWord(BLOCK_STATE_ROOT, ROOT_OF_TRIES);
}

/** Ends the list. */
export function endBlocks(): void {
  startJson(room(blocks, 16));
  writeText(']');
  endJson();
}

function endJson(): void {
  setLength(blocks, <u32>(end - base(blocks)));
}

/** Address of the JSON written so far. */
export function blocksBase(): usize {
  return base(blocks);
}

export function blocksLength(): u32 {
  return length(blocks);
}

/** Discards the JSON written so far, which the host has read. */
export function dropBlocks(): void {
  setLength(blocks, 0);
}

/** @param gaps offsets in the text at which the block hash is to be inserted */
function fillGaps(text: usize, gaps: usize): void {
  if (length(gaps) == 0) return;
  startJson(room(blocks, 2 * DIGITS));
  const digits = end;
  writeDigits(BLOCK_HASH, 32);
  for (let i: u32 = 0; i < length(gaps); i += 4) {
    memory.copy(base(text) + load<u32>(base(gaps) + i), digits, DIGITS);
  }
}
