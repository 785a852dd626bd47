// The open block: the writes before its first transaction, and its header.
import { accessAccount, accessSlot, startAccesses } from '../state/accesses.ts';
import { accountAt } from '../state/accounts.ts';
import { writeHeaderFields } from './header-fields.ts';
import { CODE, CODE_HASH, RAW, RAW_LENGTH, RECEIPT, RECEIPT_LENGTH, TRANSACTION_SIZE } from '../state/entries.ts';
import { MISSING, NONE, OTHER_CODE } from '../memory/halts.ts';
import { base } from '../memory/heap.ts';
import { overwriteSlot } from '../state/journal.ts';
import { keccak } from '../memory/keccak.ts';
import {
  BLOCK_BEACON_ROOT, BLOCK_BLOB_GAS_USED, BLOCK_EXECUTION_GAS, BLOCK_GAS_USED, BLOCK_HASH, BLOCK_NUMBER, BLOCK_PARENT, BLOCK_RECEIPTS_ROOT,
  BLOCK_ROOTS_RECEIPTS, BLOCK_STATE_GAS, BLOCK_TIME, BLOCK_TRANSACTIONS_ROOT, HASHES, HASHES_SIZE, SCRATCH, SCRATCH_2, SYSTEM_CONTRACT_SIZE,
  SYSTEM_CONTRACTS, VALUE_BUFFER,
} from '../memory/layout.ts';
import { isAccountMissing, isSlotMissing } from '../trie/missing.ts';
import { clearReceipts, receiptAt, transactionCount, transactions } from '../transaction/receipts.ts';
import { beginList, endList, listSize, startWriting, writeInteger, written } from '../memory/rlp.ts';
import { SLOT_LOADED, slotAt, VALUE } from '../state/slots.ts';
import { dropInputs, inputs } from '../transaction/transaction.ts';
import { hashAll, requestRoot } from '../trie/trie-hash.ts';
import { tracksState } from '../trie/state-tries.ts';
import { put } from '../trie/trie-changes.ts';
import { BYTES_VALUE, release } from '../trie/trie-nodes.ts';
import { equal, isZero, reverse, setWord } from '../memory/words.ts';
import { EIP_2935, EIP_4788, EIP_8282 } from '../tables/rule.ts';

/** EIP-4788, EIP-2935 */
const RING: u64 = 8191;
/** EIP-7002, EIP-7251, EIP-8282: number of slots for excess, count, and the queue's head and tail, starting at slot 0 */
const QUEUE_SLOTS: u64 = 4;
const LIST_TRIE: usize = memory.data(4);
/** minimum first byte of a legacy transaction, which is an RLP list */
const LIST: u32 = 0xc0;
/** address and length of the last encoded header */
export let header: usize = 0;
export let headerLength: u32 = 0;

/**
 * Starts the block whose fields the host has written. The journal continues.
 * @param done number of indexes of the block access list that have already ended elsewhere
 */
export function startBlock(done: u32): void {
  clearReceipts();
  dropInputs(0);
  store<u64>(BLOCK_GAS_USED, 0);
  store<u64>(BLOCK_EXECUTION_GAS, 0);
  store<u64>(BLOCK_STATE_GAS, 0);
  startAccesses(done);
  store<u64>(BLOCK_BLOB_GAS_USED, 0);
  store<u32>(BLOCK_ROOTS_RECEIPTS, 0);
}

const BEACON_ROOTS: usize = 0;
const BLOCK_HASHES: usize = 1;
const WITHDRAWALS: usize = 2;
const CONSOLIDATIONS: usize = 3;
const BUILDER_EXITS: usize = 5;

/** Gas used as in the header: the larger counter (EIP-8037). */
export function headerGas(): i64 {
  return max(load<i64>(BLOCK_EXECUTION_GAS), load<i64>(BLOCK_STATE_GAS));
}

/** @param i index in SYSTEM_CONTRACTS */
function systemContract(i: usize): usize {
  return accountAt(SYSTEM_CONTRACTS + i * SYSTEM_CONTRACT_SIZE);
}

/** Whether a system contract, which must be loaded, has the code of its EIP. */
function isStandard(contract: usize, i: usize): bool {
  return load<u32>(contract, CODE) != 0 && equal(contract + CODE_HASH, SYSTEM_CONTRACTS + i * SYSTEM_CONTRACT_SIZE + 32);
}

/**
 * Makes the writes that the contracts of EIP-4788 and EIP-2935 make when they are called before the first transaction.
 * @returns NONE; MISSING: call again; OTHER_CODE: a contract is missing or has other code, so that the host has to handle them one by one.
 * In the last two cases nothing has changed.
 */
export function writeSystemState(): i32 {
  if (!load<u32>(EIP_4788)) return NONE;
  const hasHistory = load<u32>(EIP_2935) != 0;
  const beacon = canWrite(BEACON_ROOTS), history = hasHistory ? canWrite(BLOCK_HASHES) : NONE;
  if (beacon == MISSING || history == MISSING) return MISSING;
  if (beacon != NONE || history != NONE) return OTHER_CODE;
  write(BEACON_ROOTS);
  if (hasHistory) write(BLOCK_HASHES);
  return NONE;
}

/**
 * Makes the writes of one of these contracts.
 * @param i BEACON_ROOTS or BLOCK_HASHES
 * @returns NONE; MISSING: call again; OTHER_CODE: the host has to call the contract, if it exists
 */
export function writeSystemContract(i: usize): i32 {
  const found = canWrite(i);
  if (found == NONE) write(i);
  return found;
}

function canWrite(i: usize): i32 {
  const contract = systemContract(i);
  if (isAccountMissing(contract)) return MISSING;
  if (!isStandard(contract, i)) return OTHER_CODE;
  const place = placeInRing(i);
  if (!canOverwrite(slotOf(contract, place))) return MISSING;
  return i != BEACON_ROOTS || canOverwrite(slotOf(contract, place + RING)) ? NONE : MISSING;
}

function write(i: usize): void {
  const contract = systemContract(i), place = placeInRing(i);
  accessAccount(contract);
  if (i == BEACON_ROOTS) {
    setWord(SCRATCH_2, load<u64>(BLOCK_TIME));
    overwrite(slotOf(contract, place));
    reverse(SCRATCH_2, BLOCK_BEACON_ROOT);
    overwrite(slotOf(contract, place + RING));
  } else {
    reverse(SCRATCH_2, BLOCK_PARENT);
    overwrite(slotOf(contract, place));
  }
}

/** Overwrites a slot with the word in SCRATCH_2. */
function overwrite(slot: usize): void {
  overwriteSlot(slot, SCRATCH_2);
  accessSlot(slot);
}

function placeInRing(i: usize): u64 {
  return (i == BEACON_ROOTS ? load<u64>(BLOCK_TIME) : load<u64>(BLOCK_NUMBER) - 1) % RING;
}

function slotOf(contract: usize, key: u64): usize {
  setWord(SCRATCH, key);
  return slotAt(contract, SCRATCH);
}

/**
 * Whether a slot can be overwritten: the tries need its old value. Without tries it isn't needed, and on a forked chain it would have to be
 * fetched.
 */
function canOverwrite(slot: usize): bool {
  return !tracksState || !isSlotMissing(slot);
}

/**
 * Checks that the queues of the contracts of EIP-7002, EIP-7251 and EIP-8282 are empty.
 * @returns NONE: they are; MISSING: call again; OTHER_CODE: the host has to call the contracts, or detect that they are missing
 */
export function findRequests(): i32 {
  const last = load<u32>(EIP_8282) ? BUILDER_EXITS : CONSOLIDATIONS;
  for (let i = WITHDRAWALS; i <= last; i++) {
    const found = findRequestsOf(i);
    if (found != NONE) return found;
  }
  return NONE;
}

function findRequestsOf(i: usize): i32 {
  const contract = systemContract(i);
  if (isAccountMissing(contract)) return MISSING;
  if (!isStandard(contract, i)) return OTHER_CODE;
  for (let slot: u64 = 0; slot < QUEUE_SLOTS; slot++) {
    setWord(SCRATCH, slot);
    if (isSlotMissing(slotAt(contract, SCRATCH))) return MISSING;
  }
  return isQueueEmpty(contract) ? NONE : OTHER_CODE;
}

/**
 * Whether excess, count, and the queue's head and tail are known to be 0. Then the contract needn't be called, but the accesses of such a
 * call are recorded for the block access list (EIP-7928).
 */
export function isQueueEmpty(contract: usize): bool {
  for (let i: u64 = 0; i < QUEUE_SLOTS; i++) {
    setWord(SCRATCH, i);
    const slot = slotAt(contract, SCRATCH);
    if (!load<u32>(slot, SLOT_LOADED) || !isZero(slot + VALUE)) return false;
  }
  accessAccount(contract);
  for (let i: u64 = 0; i < QUEUE_SLOTS; i++) {
    setWord(SCRATCH, i);
    accessSlot(slotAt(contract, SCRATCH));
  }
  return true;
}

/**
 * Makes the parent of the block available to BLOCKHASH. The host has written the block's number and parent hash.
 * @param keeps 1: known hashes of earlier blocks are kept if the parent is the last sealed block
 */
export function useParent(keeps: u32): void {
  // If the parent is another block, the known hashes may be those of another branch.
  if (!keeps || !equal(BLOCK_HASH, BLOCK_PARENT)) memory.fill(HASHES, 0, HASHES_SIZE);
  const number = load<u64>(BLOCK_NUMBER);
  if (number > 0) setBlockHash(number - 1, BLOCK_PARENT);
}

/** Stores a hash for BLOCKHASH. */
export function setBlockHash(number: u64, hash: usize): void {
  const entry = HASHES + ((<usize>number & 255) << 6);
  store<u64>(entry, number);
  store<u8>(entry, 1, 8);
  memory.copy(entry + 32, hash, 32);
}

/** Computes the roots of the block's transactions and receipts. */
export function updateListRoots(): void {
  listRoot(false, BLOCK_TRANSACTIONS_ROOT);
  listRoot(true, BLOCK_RECEIPTS_ROOT);
}

function listRoot(ofReceipts: bool, to: usize): void {
  for (let i: u32 = 0; i < transactionCount(); i++) {
    const entry = base(transactions) + i * TRANSACTION_SIZE;
    if (ofReceipts) addItem(i, receiptAt(load<u32>(entry, RECEIPT)), load<u32>(entry, RECEIPT_LENGTH));
    else addItem(i, base(inputs) + load<u32>(entry, RAW), load<u32>(entry, RAW_LENGTH));
  }
  requestRoot(LIST_TRIE, to, 0);
  hashAll();
  release(LIST_TRIE);
}

function addItem(i: u32, bytes: usize, n: u32): void {
  setWord(SCRATCH, 0);
  startWriting(SCRATCH);
  writeInteger(i);
  put(LIST_TRIE, SCRATCH, <u32>(written - SCRATCH) << 1, BYTES_VALUE, bytes, n);
}

/** Computes the root of a list of items in the inputs, each given as offset and length: withdrawals. */
export function inputsRoot(list: usize, count: u32, to: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    addItem(i, base(inputs) + load<u32>(list + (i << 3)), load<u32>(list + (i << 3), 4));
  }
  requestRoot(LIST_TRIE, to, 0);
  hashAll();
  release(LIST_TRIE);
}

/** Size of the transactions in the block's RLP, in bytes: a legacy transaction is a list there, any other a string. */
export function transactionBytes(): u32 {
  let size: u32 = 0;
  for (let i: u32 = 0; i < transactionCount(); i++) {
    const row = base(transactions) + i * TRANSACTION_SIZE, n = load<u32>(row, RAW_LENGTH);
    size += <u32>load<u8>(base(inputs) + load<u32>(row, RAW)) < LIST ? listSize(n) : n;
  }
  return size;
}

/** Writes the header of a block without uncles in RLP, and its hash: {@link header}. */
export function encodeHeader(): void {
  beginList(VALUE_BUFFER);
  writeHeaderFields(headerGas());
  header = endList(VALUE_BUFFER);
  headerLength = <u32>(written - header);
  keccak(BLOCK_HASH, header, headerLength);
}

/** The address of the last encoded header, valid until something else is encoded. */
export function headerBase(): usize {
  return header;
}

export function headerSize(): u32 {
  return headerLength;
}

