// A call becomes a transaction of the open block that nobody has signed: its signature is empty.
import { accountAt, NONCE } from '../state/accounts.ts';
import { NONE } from '../memory/halts.ts';
import { base, length, room, setLength } from '../memory/heap.ts';
import { keccak } from '../memory/keccak.ts';
import {
  GETS_RECEIPT, OUTSIDE_BLOCK, RULES_CHAIN_ID, SCRATCH, TX_DATA, TX_DATA_LENGTH, TX_EXEMPT, TX_FROM, TX_GAS, TX_HAS_TO, TX_HASH,
  TX_MAX_FEE, TX_NONCE, TX_PRIORITY_FEE, TX_RAW, TX_RAW_LENGTH, TX_TO, TX_TYPE, TX_VALUE,
} from '../memory/layout.ts';
import { isAccountMissing } from '../trie/missing.ts';
import { beginList, endList, writeHead, writeInteger, writeString, writeWord, written } from '../memory/rlp.ts';
import { run, start } from './run.ts';
import { dropInputs, inputs } from './transaction.ts';
import { reverse } from '../memory/words.ts';

const LEGACY: u32 = 0;
const DYNAMIC_FEE: u32 = 2;
/** bytes of an encoding besides data, at most */
const FIELDS_ROOM: u32 = 320;

/**
 * Adds the call at TX to the open block, and runs it until it has ended or stands still. The caller has checked the block's gas
 * limit.
 * @param exempt rules that don't apply, as at TX_EXEMPT
 * @param hasNonce 0: it gets that of its sender
 * @returns NONE: it hasn't begun, since state is missing; below 0: see faults.ts. Nothing has changed in both cases. Else as run().
 */
export function includeUnsigned(gas: i64, exempt: u32, hasNonce: u32, fuel: i64): i32 {
  store<i64>(TX_GAS, gas);
  store<u32>(TX_EXEMPT, exempt | OUTSIDE_BLOCK | GETS_RECEIPT);
  if (!hasNonce) {
    const sender = accountAt(TX_FROM);
    if (isAccountMissing(sender)) return NONE;
    store<u64>(TX_NONCE, load<u64>(sender, NONCE));
  }
  const data = load<u32>(TX_DATA), before = length(inputs);
  encodeUnsigned();
  const begun = start();
  if (begun == NONE) return run(fuel);
  dropInputs(before);
  store<u32>(TX_DATA, data);
  return min(begun, NONE);
}

/**
 * Adds the encoding (EIP-2718) of the transaction at TX, of type 0 or 2 and without an access list, to the inputs, and computes its
 * hash. Its data, which may be anywhere, are in the inputs afterwards.
 */
function encodeUnsigned(): void {
  const buffer = room(inputs, load<u32>(TX_DATA_LENGTH) + FIELDS_ROOM);
  beginList(buffer);
  store<u32>(TX_DATA, writeFields());
  for (let i = 0; i < 3; i++) writeInteger(0);
  addEncoding(endList(buffer));
}

/** Writes the fields of the transaction at TX that stand before the signature. @returns where its data are */
function writeFields(): u32 {
  const type = load<u32>(TX_TYPE), n = load<u32>(TX_DATA_LENGTH);
  if (type != LEGACY) writeInteger(load<u64>(RULES_CHAIN_ID));
  writeInteger(load<u64>(TX_NONCE));
  if (type == DYNAMIC_FEE) writeWord(TX_PRIORITY_FEE);
  writeWord(TX_MAX_FEE);
  writeInteger(load<u64>(TX_GAS));
  if (load<u32>(TX_HAS_TO)) {
    reverse(SCRATCH, TX_TO);
    writeString(SCRATCH + 12, 20);
  } else writeInteger(0);
  writeWord(TX_VALUE);
  writeString(load<u32>(TX_DATA), n);
  const data = <u32>written - n;
  if (type != LEGACY) writeHead(0, 0xc0);
  return data;
}

/** Adds the list that was written last to the inputs as the encoding of the transaction at TX, and computes its hash. */
function addEncoding(list: usize): void {
  const type = load<u32>(TX_TYPE);
  let start = list;
  if (type != LEGACY) store<u8>(--start, type);
  const size = <u32>(written - start);
  store<u32>(TX_RAW, <u32>(start - base(inputs)));
  store<u32>(TX_RAW_LENGTH, size);
  keccak(TX_HASH, start, size);
  setLength(inputs, <u32>(written - base(inputs)));
}
