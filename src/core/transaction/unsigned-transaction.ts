// Adds a message to the open block as an unsigned transaction: its signature is empty.
import { accountAt, NONCE } from '../state/accounts.ts';
import { MISSING, NONE } from '../memory/halts.ts';
import { base, length, room, setLength } from '../memory/heap.ts';
import { keccak } from '../memory/keccak.ts';
import {
  GETS_RECEIPT, OUTSIDE_BLOCK, RULES_CHAIN_ID, SCRATCH, TX_ACCESS_LIST, TX_ACCESS_LIST_END, TX_AUTHORIZATIONS, TX_AUTHORIZATIONS_END,
  TX_BLOB_COUNT, TX_BLOBS, TX_DATA, TX_DATA_LENGTH, TX_EXEMPT, TX_FROM, TX_GAS, TX_HAS_TO, TX_HASH, TX_MAX_BLOB_FEE, TX_MAX_FEE, TX_MINT,
  TX_NONCE, TX_PRIORITY_FEE, TX_RAW, TX_RAW_LENGTH, TX_SOURCE, TX_TO, TX_TYPE, TX_VALUE,
} from '../memory/layout.ts';
import { isAccountMissing } from '../trie/missing.ts';
import { beginList, endList, writeHash, writeHead, writeInteger, writeRaw, writeString, writeWord, written } from '../memory/rlp.ts';
import { run, start } from './run.ts';
import { DEPOSIT } from './validity.ts';
import { BLOB, DYNAMIC_FEE, dropInputs, inputs, LEGACY, SET_CODE } from './transaction.ts';
import { reverse } from '../memory/words.ts';

/** maximum size of an encoding without data and lists, in bytes */
const FIELDS_ROOM: u32 = 384;
/** size of a blob's hash in RLP, in bytes */
const BLOB_BYTES: u32 = 33;

/**
 * Adds the message at TX to the open block, and runs it until it has ended or has to pause. The caller has checked the block's gas limit.
 * @param hasNonce 0: it gets the nonce of its sender
 * @returns NONE: it hasn't begun, since state is missing; NEEDS_SIGNER: the host has to recover a signer first; in both cases call again.
 * Below 0: see faults.ts. In all these cases nothing has changed. Otherwise the result of run().
 */
export function includeUnsigned(hasNonce: u32, fuel: i64): i32 {
  store<u32>(TX_EXEMPT, load<u32>(TX_EXEMPT) | OUTSIDE_BLOCK | GETS_RECEIPT);
  if (!hasNonce) {
    const sender = accountAt(TX_FROM);
    if (isAccountMissing(sender)) return NONE;
    store<u64>(TX_NONCE, load<u64>(sender, NONCE));
  }
  const before = length(inputs);
  encodeUnsigned();
  const begun = start();
  if (begun == NONE) return run(fuel);
  dropInputs(before);
  return begun == MISSING ? NONE : begun;
}

/** Adds the encoding (EIP-2718) of the message at TX to the inputs, and computes its hash. */
function encodeUnsigned(): void {
  const type = load<u32>(TX_TYPE);
  const lists = accessListBytes() + blobBytes() + authorizationBytes();
  const buffer = room(inputs, load<u32>(TX_DATA_LENGTH) + lists + FIELDS_ROOM);
  beginList(buffer);
  if (type == DEPOSIT) writeDeposit();
  else {
    writeFields(type);
    for (let i = 0; i < 3; i++) writeInteger(0);
  }
  let start = endList(buffer);
  if (type != LEGACY) store<u8>(--start, type);
  const size = <u32>(written - start);
  store<u32>(TX_RAW, <u32>(start - base(inputs)));
  store<u32>(TX_RAW_LENGTH, size);
  keccak(TX_HASH, start, size);
  setLength(inputs, <u32>(written - base(inputs)));
}

/** Writes the fields of the message at TX that precede the signature. */
function writeFields(type: u32): void {
  if (type != LEGACY) writeInteger(load<u64>(RULES_CHAIN_ID));
  writeInteger(load<u64>(TX_NONCE));
  if (type >= DYNAMIC_FEE) writeWord(TX_PRIORITY_FEE);
  writeWord(TX_MAX_FEE);
  writeInteger(load<u64>(TX_GAS));
  writeRecipient();
  writeWord(TX_VALUE);
  writeString(load<u32>(TX_DATA), load<u32>(TX_DATA_LENGTH));
  if (type != LEGACY) writeList(load<u32>(TX_ACCESS_LIST), accessListBytes());
  if (type == BLOB) {
    writeWord(TX_MAX_BLOB_FEE);
    writeList(load<u32>(TX_BLOBS), blobBytes());
  }
  if (type == SET_CODE) writeList(load<u32>(TX_AUTHORIZATIONS), authorizationBytes());
}

/** Writes the fields of a deposit of the OP Stack, which has no signature (specs.optimism.io/protocol/deposits.html). */
function writeDeposit(): void {
  writeHash(TX_SOURCE);
  writeAddress(TX_FROM);
  writeRecipient();
  writeWord(TX_MINT);
  writeWord(TX_VALUE);
  writeInteger(load<u64>(TX_GAS));
  // isSystemTx: always false since Regolith.
  writeInteger(0);
  writeString(load<u32>(TX_DATA), load<u32>(TX_DATA_LENGTH));
}

function writeRecipient(): void {
  if (load<u32>(TX_HAS_TO)) writeAddress(TX_TO);
  else writeInteger(0);
}

/** @param address address as a word */
function writeAddress(address: usize): void {
  reverse(SCRATCH, address);
  writeString(SCRATCH + 12, 20);
}

/** @param payload address of its items, n bytes */
function writeList(payload: usize, n: u32): void {
  writeHead(n, 0xc0);
  writeRaw(payload, n);
}

/** Size of the payload of the access list's RLP, in bytes. */
export function accessListBytes(): u32 {
  return load<u32>(TX_ACCESS_LIST_END) - load<u32>(TX_ACCESS_LIST);
}

export function blobBytes(): u32 {
  return BLOB_BYTES * load<u32>(TX_BLOB_COUNT);
}

export function authorizationBytes(): u32 {
  return load<u32>(TX_AUTHORIZATIONS_END) - load<u32>(TX_AUTHORIZATIONS);
}
