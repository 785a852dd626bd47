// A call becomes a transaction of the open block that nobody has signed: its signature is empty.
import { accountAt, NONCE } from './accounts';
import { MISSING, NONE } from './halts';
import { base, room, setLength } from './heap';
import { keccak } from './keccak';
import {
  RULES_CHAIN_ID, SCRATCH, TX_ACCESS_LIST, TX_ACCESS_LIST_END, TX_DATA, TX_DATA_LENGTH, TX_FROM, TX_GAS, TX_HAS_TO,
  TX_HASH, TX_MAX_FEE, TX_NONCE, TX_PRIORITY_FEE, TX_RAW, TX_RAW_LENGTH, TX_TO, TX_TYPE, TX_VALUE,
} from './layout';
import { isAccountMissing } from './misses';
import { beginList, endList, startWriting, writeHead, writeInteger, writeString, writeWord, written } from './rlp';
import { inputs } from './transaction';
import { reverse } from './words';

const LEGACY: u32 = 0;
const DYNAMIC_FEE: u32 = 2;
/** bytes of the encoding besides data and access list, at most */
const FIELDS_ROOM: u32 = 320;

/** Gives the transaction the nonce of its sender. @returns NONE; MISSING: call it again */
export function useNonceOfSender(): i32 {
  const sender = accountAt(TX_FROM);
  if (isAccountMissing(sender)) return MISSING;
  store<u64>(TX_NONCE, load<u64>(sender, NONCE));
  return NONE;
}

/**
 * Adds the encoding (EIP-2718) of the transaction at TX, of type 0, 1 or 2, to the inputs, and computes its hash. Its data and access
 * list, which may be anywhere, are in the inputs afterwards.
 */
export function encodeUnsigned(): void {
  const type = load<u32>(TX_TYPE), data: usize = load<u32>(TX_DATA), n = load<u32>(TX_DATA_LENGTH);
  const list: usize = load<u32>(TX_ACCESS_LIST), listSize = load<u32>(TX_ACCESS_LIST_END) - <u32>list;
  const buffer = room(inputs, n + listSize + FIELDS_ROOM);
  beginList(buffer);
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
  writeString(data, n);
  store<u32>(TX_DATA, <u32>written - n);
  if (type != LEGACY) {
    writeHead(listSize, 0xc0);
    copyList(list, listSize);
  }
  for (let i = 0; i < 3; i++) writeInteger(0);
  let start = endList(buffer);
  if (type != LEGACY) store<u8>(--start, type);
  const size = <u32>(written - start);
  store<u32>(TX_RAW, <u32>(start - base(inputs)));
  store<u32>(TX_RAW_LENGTH, size);
  keccak(TX_HASH, start, size);
  // It warms accounts and slots, but such a transaction doesn't show it.
  if (type == LEGACY) copyList(list, listSize);
  setLength(inputs, <u32>(written - base(inputs)));
}

function copyList(from: usize, n: u32): void {
  memory.copy(written, from, n);
  store<u32>(TX_ACCESS_LIST, <u32>written);
  store<u32>(TX_ACCESS_LIST_END, <u32>written + n);
  startWriting(written + n);
}
