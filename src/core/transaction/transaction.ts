// Decodes signed transactions (EIP-2718): legacy, 2930, 1559, 4844, 7702.
import { BAD_SIGNATURE, MALFORMED, UNKNOWN_TYPE } from '../memory/faults.ts';
import { keccak } from '../memory/keccak.ts';
import { rememberSender } from './known-senders.ts';
import {
  PUBLIC_KEY, RULES_CHAIN_ID, SCRATCH, SIGNATURE, SIGNATURE_ID, SIGNING_HASH, TX, TX_ACCESS_LIST,
  TX_ACCESS_LIST_END, TX_AUTHORIZATION_COUNT, TX_AUTHORIZATIONS, TX_AUTHORIZATIONS_END, TX_BLOB_COUNT,
  TX_BLOBS, TX_CHAIN_ID, TX_DATA, TX_DATA_LENGTH, TX_FROM, TX_GAS, TX_HAS_TO, TX_HASH, TX_MAX_BLOB_FEE,
  TX_MAX_FEE, TX_NONCE, TX_PRIORITY_FEE, TX_RAW, TX_RAW_LENGTH, TX_TO, TX_TYPE, TX_VALUE,
} from '../memory/layout.ts';
import { resetSigners } from './delegations.ts';
import { HALF_ORDER } from './signature.ts';
import {
  endList, isAtEnd, isValid, item, itemSize, moveTo, nextBytes, nextItem, nextList, nextNumber, nextString,
  nextWord, position, startReading, startWriting, writeInteger, written,
} from '../memory/rlp.ts';
import { base, createBuffer, extend, length, room, setLength } from '../memory/heap.ts';
import { copyWord, less, reverse, setWord } from '../memory/words.ts';
import { EIP_155, EIP_2 } from '../tables/rule.ts';

export const LEGACY: u32 = 0;
export const DYNAMIC_FEE: u32 = 2;
export const BLOB: u32 = 3;
export const SET_CODE: u32 = 4;

/** encodings of the open block's transactions */
export let inputs: usize = 0;
/** buffer in which signing hashes are encoded */
let unsigned: usize = 0;
/** data and lists of a message at TX that the host has written */
let parts: usize = 0;

export function setupTransactions(): void {
  inputs = createBuffer(16);
  unsigned = createBuffer(12);
  parts = createBuffer(8);
}

/** Clears the transaction, for a message whose fields the host writes next. */
export function clearTransaction(): void {
  memory.fill(TX, 0, 600);
  resetSigners();
}

/**
 * Clears the transaction. @returns room for n bytes: data and lists of the message that the host writes to TX. They stay until the next
 * message.
 */
export function startMessage(n: u32): usize {
  clearTransaction();
  return room(parts, n);
}

/**
 * Decodes the n bytes at an offset in the inputs; leaves the signing hash and the signature for the host.
 * @returns 0, or see faults.ts
 */
export function decode(offset: u32, n: u32): i32 {
  clearTransaction();
  const start = base(inputs) + offset, end = start + n;
  store<u32>(TX_RAW, offset);
  store<u32>(TX_RAW_LENGTH, n);
  if (n == 0) return MALFORMED;
  const first: u32 = load<u8>(start), type = first < 0x80 ? first : LEGACY;
  if (type > SET_CODE || (first < 0x80 && type == LEGACY)) return UNKNOWN_TYPE;
  store<u32>(TX_TYPE, type);
  startReading(type == LEGACY ? start : start + 1, end);
  nextList();
  if (!isValid || position != end) return MALFORMED;
  moveTo(item);
  const body = item;
  if (type != LEGACY) store<u64>(TX_CHAIN_ID, nextNumber());
  store<u64>(TX_NONCE, nextNumber());
  nextWord(TX_PRIORITY_FEE);
  if (type >= DYNAMIC_FEE) nextWord(TX_MAX_FEE);
  else copyWord(TX_MAX_FEE, TX_PRIORITY_FEE);
  store<u64>(TX_GAS, nextNumber());
  nextString();
  if (itemSize != 0 && itemSize != 20) return MALFORMED;
  store<u32>(TX_HAS_TO, u32(itemSize == 20));
  if (itemSize) {
    setWord(SCRATCH, 0);
    memory.copy(SCRATCH + 12, item, 20);
    reverse(TX_TO, SCRATCH);
  }
  nextWord(TX_VALUE);
  nextString();
  store<u32>(TX_DATA, <u32>item);
  store<u32>(TX_DATA_LENGTH, itemSize);
  if (type != LEGACY) {
    nextList();
    store<u32>(TX_ACCESS_LIST, <u32>item);
    store<u32>(TX_ACCESS_LIST_END, <u32>item + itemSize);
  }
  if (type == BLOB) {
    nextWord(TX_MAX_BLOB_FEE);
    nextList();
    store<u32>(TX_BLOBS, <u32>item);
    store<u32>(TX_BLOB_COUNT, itemSize / 33);
    const after = position;
    moveTo(item);
    while (position < after && isValid) nextBytes(32);
  }
  if (type == SET_CODE) {
    nextList();
    store<u32>(TX_AUTHORIZATIONS, <u32>item);
    store<u32>(TX_AUTHORIZATIONS_END, <u32>item + itemSize);
    const after = position;
    moveTo(item);
    let count: u32 = 0;
    for (; position < after && isValid; count++) nextItem();
    store<u32>(TX_AUTHORIZATION_COUNT, count);
  }
  if (!isValid) return MALFORMED;
  return decodeSignature(type, start, body, position, end);
}

function decodeSignature(type: u32, start: usize, body: usize, bodyEnd: usize, end: usize): i32 {
  const v = nextNumber();
  setLength(unsigned, 0);
  const size = <u32>(bodyEnd - body), buffer = extend(unsigned, size + 64);
  memory.copy(buffer + 16, body, size);
  startWriting(buffer + 16 + size);
  let id = v;
  if (type == LEGACY) {
    if (v >= 35 && load<u32>(EIP_155)) {
      const chainId = (v - 35) >> 1;
      store<u64>(TX_CHAIN_ID, chainId);
      id = (v - 35) & 1;
      // EIP-155
      writeInteger(chainId);
      writeInteger(0);
      writeInteger(0);
    } else {
      store<u64>(TX_CHAIN_ID, load<u64>(RULES_CHAIN_ID));
      id = v - 27;
    }
  }
  // The signature is two words, r and s, as concatenated big-endian bytes.
  nextWord(SCRATCH);
  reverse(SIGNATURE, SCRATCH);
  nextWord(SCRATCH);
  reverse(SIGNATURE + 32, SCRATCH);
  if (!isValid || !isAtEnd() || position != end) return MALFORMED;
  if (id > 1 || (load<u32>(EIP_2) && less(HALF_ORDER, SCRATCH))) return BAD_SIGNATURE;
  store<u32>(SIGNATURE_ID, <u32>id);
  let hashed = endList(buffer);
  if (type != LEGACY) store<u8>(--hashed, type);
  keccak(SIGNING_HASH, hashed, <u32>(written - hashed));
  keccak(TX_HASH, start, <u32>(end - start));
  return 0;
}

/** Called when the host has recovered the sender's public key. */
export function senderFound(): void {
  keccak(SCRATCH, PUBLIC_KEY + 1, 64);
  memory.fill(SCRATCH, 0, 12);
  reverse(TX_FROM, SCRATCH);
  rememberSender();
}

/** Makes room for n bytes that the host writes. @returns their offset */
export function addInput(n: u32): u32 {
  const offset = length(inputs);
  extend(inputs, n);
  return offset;
}

/** Discards the inputs from an offset on. */
export function dropInputs(offset: u32): void {
  setLength(inputs, offset);
}
