// Writes a transaction of type 2 without an access list as JSON, in the format of the execution APIs.
import { base, createBuffer, length, room } from '../memory/heap.ts';
import {
  end, startJson, writeAddressWord, writeHex, writeQuantity, writeText, writeWordQuantity,
} from './json.ts';
import {
  RULES_CHAIN_ID, SCRATCH, SIGNATURE, SIGNATURE_ID, TX_DATA, TX_DATA_LENGTH, TX_FROM, TX_GAS, TX_HASH, TX_MAX_FEE, TX_NONCE,
  TX_PRIORITY_FEE, TX_RAW, TX_RAW_LENGTH, TX_TO, TX_VALUE,
} from '../memory/layout.ts';
import { dropInputs, inputs } from '../transaction/transaction.ts';
import { encodeUnsigned, useNonceOfSender } from '../transaction/unsigned-transaction.ts';
import { reverse } from '../memory/words.ts';

/** bytes of the JSON besides the digits of encoding and data, at most */
const FIELDS_ROOM: u32 = 1024;

let json: usize = 0;
/** where the gas price belongs */
let gap: u32 = 0;

export function setupTransactionJson(): void {
  json = createBuffer(10);
}

/**
 * Writes the call at TX, which has a target, and whose gas limit and fees are set, as eth_fillTransaction answers it. It gets the nonce
 * of its sender.
 * @returns bytes of the JSON, which is at transactionJson(); 0 when the sender's account is missing, or can't send anything more
 */
export function writeFilled(): u32 {
  if (!useNonceOfSender()) return 0;
  const before = length(inputs);
  encodeUnsigned();
  const n = load<u32>(TX_RAW_LENGTH);
  startJson(room(json, 2 * (n + load<u32>(TX_DATA_LENGTH)) + FIELDS_ROOM));
  writeText('{"raw":');
  writeHex(base(inputs) + load<u32>(TX_RAW), n);
  writeText(',"tx":{');
  writeUpToGas();
  // What is in no block has its fee cap as gas price.
  writeText(',"gasPrice":');
  writeWordQuantity(TX_MAX_FEE);
  writeFromFees();
  writeText(',"v":"0x0","r":"0x0","s":"0x0","yParity":"0x0"}}');
  dropInputs(before);
  return <u32>(end - base(json));
}

/**
 * Writes the signed transaction at TX, without its place in a block.
 * @returns bytes of the JSON, which is at transactionJson(): its members, of which the gas price is missing at gasPriceGap()
 */
export function writeSigned(): u32 {
  startJson(room(json, 2 * load<u32>(TX_DATA_LENGTH) + FIELDS_ROOM));
  writeUpToGas();
  gap = <u32>(end - base(json));
  writeFromFees();
  writeText(',"v":');
  writeQuantity(load<u32>(SIGNATURE_ID));
  writeText(',"r":');
  writeWordBytes(SIGNATURE);
  writeText(',"s":');
  writeWordBytes(SIGNATURE + 32);
  writeText(',"yParity":');
  writeQuantity(load<u32>(SIGNATURE_ID));
  return <u32>(end - base(json));
}

/** Where the JSON is. */
export function transactionJson(): usize {
  return base(json);
}

export function gasPriceGap(): u32 {
  return gap;
}

function writeUpToGas(): void {
  writeText('"hash":');
  writeHex(TX_HASH, 32);
  writeText(',"type":"0x2","from":');
  writeAddressWord(TX_FROM);
  writeText(',"to":');
  writeAddressWord(TX_TO);
  writeText(',"nonce":');
  writeQuantity(load<u64>(TX_NONCE));
  writeText(',"gas":');
  writeQuantity(load<u64>(TX_GAS));
}

function writeFromFees(): void {
  writeText(',"maxFeePerGas":');
  writeWordQuantity(TX_MAX_FEE);
  writeText(',"maxPriorityFeePerGas":');
  writeWordQuantity(TX_PRIORITY_FEE);
  writeText(',"value":');
  writeWordQuantity(TX_VALUE);
  writeText(',"input":');
  writeHex(load<u32>(TX_DATA), load<u32>(TX_DATA_LENGTH));
  writeText(',"accessList":[],"chainId":');
  writeQuantity(load<u64>(RULES_CHAIN_ID));
}

/** Writes the integer that 32 bytes encode, most significant first. */
function writeWordBytes(from: usize): void {
  reverse(SCRATCH, from);
  writeWordQuantity(SCRATCH);
}
