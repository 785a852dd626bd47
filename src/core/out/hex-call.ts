// Decodes calls whose addresses and data are hexadecimal text, as in a request.
import { createBuffer, room } from '../memory/heap.ts';
import {
  CALL_CREATES, CALL_HAS_SENDER, SCRATCH, TX_DATA, TX_DATA_LENGTH, TX_FROM, TX_HAS_TO, TX_TO, TX_TYPE,
} from '../memory/layout.ts';
import { clearTransaction } from '../transaction/transaction.ts';
import { reverse, setWord } from '../memory/words.ts';

const DYNAMIC_FEE: u32 = 2;
/** characters of an address */
const ADDRESS_TEXT: u32 = 42;
const NO_DIGIT: u32 = 16;

/** the data of the call */
let data: usize = 0;

export function setupHexCall(): void {
  data = createBuffer(8);
}

/**
 * Decodes a call, which is then the transaction at TX: one of type 2 without value and fees.
 * @param text n characters: sender, target and data, each with its `0x`
 * @param parts which of them are there: CALL_HAS_SENDER, CALL_CREATES
 * @returns whether it is well-formed
 */
export function readHexCall(text: usize, n: u32, parts: u32): bool {
  clearTransaction();
  const textEnd = text + n;
  let at = text;
  if (parts & CALL_HAS_SENDER) {
    if (!readAddress(TX_FROM, at, textEnd)) return false;
    at += ADDRESS_TEXT;
  }
  if (!(parts & CALL_CREATES)) {
    if (!readAddress(TX_TO, at, textEnd)) return false;
    at += ADDRESS_TEXT;
    store<u32>(TX_HAS_TO, 1);
  }
  const bytes = room(data, n);
  if (!decodeHex(bytes, at, textEnd)) return false;
  store<u32>(TX_TYPE, DYNAMIC_FEE);
  store<u32>(TX_DATA, <u32>bytes);
  store<u32>(TX_DATA_LENGTH, <u32>(textEnd - at - 2) >> 1);
  return true;
}

/** @returns whether `0x` and 40 digits are there */
function readAddress(to: usize, text: usize, textEnd: usize): bool {
  if (text + ADDRESS_TEXT > textEnd) return false;
  setWord(SCRATCH, 0);
  if (!decodeHex(SCRATCH + 12, text, text + ADDRESS_TEXT)) return false;
  reverse(to, SCRATCH);
  return true;
}

/** @returns whether the text is `0x` and an even number of digits */
function decodeHex(to: usize, text: usize, textEnd: usize): bool {
  if (text + 2 > textEnd || load<u16>(text) != 0x7830 || (textEnd - text) & 1) return false;
  let all: u32 = 0;
  for (let at = text + 2; at < textEnd; at += 2) {
    const high = digit(load<u8>(at)), low = digit(load<u8>(at, 1));
    all |= high | low;
    store<u8>(to++, (high << 4) | low);
  }
  return all < NO_DIGIT;
}

/** @returns NO_DIGIT when it is none */
/* @inline */ function digit(character: u32): u32 {
  const number = character - 0x30, letter = (character | 0x20) - 0x61;
  return number < 10 ? number : letter < 6 ? letter + 10 : NO_DIGIT;
}
