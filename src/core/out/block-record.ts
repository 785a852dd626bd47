// The records that the store keeps of a block, in the format of memory/store-records.ts. The values are described in
// src/chain/store/block-codec.ts and keys.ts.
import { accessListBase, accessListLength } from './access-list.ts';
import { header, headerLength, transactionBytes } from '../block/block.ts';
import { STORED_ACCESS_LIST, STORED_BODY, STORED_HEADER, STORED_RECEIPTS, STORED_TRANSACTION } from '../state/entries.ts';
import { base, createBuffer, length, setLength } from '../memory/heap.ts';
import { BLOCK_HASH, BLOCK_NUMBER } from '../memory/layout.ts';
import { receiptItems, recordedHashes, transactionCount, transactionItems } from '../transaction/receipts.ts';
import { integerSize, listSize, startWriting, writeHead, writeInteger, writeRaw } from '../memory/rlp.ts';
import { writeRecord } from '../memory/store-records.ts';
import { EIP_4895, EIP_7928 } from '../tables/rule.ts';
import { copyWord } from '../memory/words.ts';

const HASH_SIZE: u32 = 32;
/** block hash, block number (8 bytes), index of the transaction (4 bytes) */
const POSITION_SIZE: u32 = 44;

let records: usize = 0;

export function setupBlockRecord(): void {
  records = createBuffer(12);
}

export function blockRecordsBase(): usize {
  return base(records);
}

export function blockRecordsLength(): u32 {
  return length(records);
}

/**
 * Writes the records of the block whose header was encoded last, and which has no uncles: header, body, receipts, block access list
 * (EIP-7928), and the position of each transaction.
 * @param withdrawals address of the list of withdrawals in RLP; 0: the list is empty
 * @param n its length
 * @returns size of the block in bytes, in the network's encoding; 0: no records, since not all of its transactions were recorded
 */
export function recordBlock(withdrawals: usize, n: u32): u32 {
  const count = transactionCount();
  if (length(recordedHashes) != count * HASH_SIZE) return 0;
  setLength(records, 0);
  // The transactions are followed by an empty list of uncles, and since Shanghai by the withdrawals.
  const behind: u32 = 1 + (load<u32>(EIP_4895) ? (withdrawals ? n : 1) : 0);
  const size = listSize(headerLength + listSize(transactionBytes()) + behind);
  writeRecord(records, STORED_HEADER, BLOCK_HASH, header, headerLength);
  if (load<u32>(EIP_7928)) writeRecord(records, STORED_ACCESS_LIST, BLOCK_HASH, accessListBase(), accessListLength());

  const body = integerSize(size) + listSize(length(transactionItems)) + behind;
  startWriting(writeRecord(records, STORED_BODY, BLOCK_HASH, 0, listSize(body)));
  writeHead(body, 0xc0);
  writeInteger(size);
  writeList(transactionItems);
  writeHead(0, 0xc0);
  if (load<u32>(EIP_4895)) {
    if (withdrawals) writeRaw(withdrawals, n);
    else writeHead(0, 0xc0);
  }

  startWriting(writeRecord(records, STORED_RECEIPTS, BLOCK_HASH, 0, listSize(length(receiptItems))));
  writeList(receiptItems);

  for (let i: u32 = 0; i < count; i++) {
    const position = writeRecord(records, STORED_TRANSACTION, base(recordedHashes) + i * HASH_SIZE, 0, POSITION_SIZE);
    copyWord(position, BLOCK_HASH);
    store<u64>(position, bswap<u64>(load<u64>(BLOCK_NUMBER)), 32);
    store<u32>(position, bswap<u32>(i), 40);
  }
  return size;
}

/** Writes encoded items as a list. */
function writeList(items: usize): void {
  writeHead(length(items), 0xc0);
  writeRaw(base(items), length(items));
}
