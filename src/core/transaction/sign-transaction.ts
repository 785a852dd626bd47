// Makes a signed transaction of a call, whose hash the host signs in between.
import { room } from '../memory/heap.ts';
import { keccak } from '../memory/keccak.ts';
import { SCRATCH, SIGNATURE, SIGNATURE_ID, SIGNING_HASH, TX_DATA_LENGTH, TX_TYPE } from '../memory/layout.ts';
import { beginList, endList, writeInteger, writeWord, written } from '../memory/rlp.ts';
import { inputs } from './transaction.ts';
import { addEncoding, FIELDS_ROOM, useNonceOfSender, writeFields } from './unsigned-transaction.ts';
import { reverse } from '../memory/words.ts';

/**
 * Gives the call at TX, of type 2 and without an access list, the nonce of its sender, and computes the hash that is to be signed.
 * @returns false when the account of the sender is missing, or can't send anything more
 */
export function beginSigning(): bool {
  if (!useNonceOfSender()) return false;
  const buffer = start();
  writeFields();
  const list = endList(buffer) - 1;
  store<u8>(list, load<u32>(TX_TYPE));
  keccak(SIGNING_HASH, list, <u32>(written - list));
  return true;
}

/** Adds the encoding of the signed transaction to the inputs, and computes its hash. */
export function endSigning(): void {
  const buffer = start();
  writeFields();
  writeInteger(load<u32>(SIGNATURE_ID));
  writeBytes(SIGNATURE);
  writeBytes(SIGNATURE + 32);
  addEncoding(endList(buffer));
}

function start(): usize {
  const buffer = room(inputs, load<u32>(TX_DATA_LENGTH) + FIELDS_ROOM);
  beginList(buffer);
  return buffer;
}

/** Writes the integer that 32 bytes encode, most significant first. */
function writeBytes(from: usize): void {
  reverse(SCRATCH, from);
  writeWord(SCRATCH);
}
