// Writes a call as the transaction that its sender could sign, in the format of eth_fillTransaction.
import { base, createBuffer, length, room } from './heap';
import { end, startJson, writeAddressWord, writeHex, writeQuantity, writeText, writeWordQuantity } from './json';
import {
  RULES_CHAIN_ID, TX_DATA, TX_DATA_LENGTH, TX_FROM, TX_GAS, TX_HASH, TX_MAX_FEE, TX_NONCE, TX_PRIORITY_FEE, TX_RAW,
  TX_RAW_LENGTH, TX_TO, TX_VALUE,
} from './layout';
import { dropInputs, inputs } from './transaction';
import { encodeUnsigned, useNonceOfSender } from './unsigned-transaction';

/** bytes of the JSON besides the digits of encoding and data, at most */
const FIELDS_ROOM: u32 = 1024;

let json: usize = 0;

export function setupFilled(): void {
  json = createBuffer(10);
}

/**
 * Writes the call at TX, of type 2 and with a target, whose gas limit and fees are set. It gets the nonce of its sender.
 * @returns bytes of the JSON, which is at filledBase(); 0 when the sender's account is missing, or can't send anything more
 */
export function writeFilled(): u32 {
  if (!useNonceOfSender()) return 0;
  const before = length(inputs);
  encodeUnsigned();
  const n = load<u32>(TX_RAW_LENGTH), size = load<u32>(TX_DATA_LENGTH);
  startJson(room(json, 2 * (n + size) + FIELDS_ROOM));
  writeText('{"raw":');
  writeHex(base(inputs) + load<u32>(TX_RAW), n);
  writeText(',"tx":{"hash":');
  writeHex(TX_HASH, 32);
  writeText(',"type":"0x2","from":');
  writeAddressWord(TX_FROM);
  writeText(',"to":');
  writeAddressWord(TX_TO);
  writeText(',"nonce":');
  writeQuantity(load<u64>(TX_NONCE));
  writeText(',"gas":');
  writeQuantity(load<u64>(TX_GAS));
  writeText(',"maxFeePerGas":');
  writeWordQuantity(TX_MAX_FEE);
  writeText(',"maxPriorityFeePerGas":');
  writeWordQuantity(TX_PRIORITY_FEE);
  writeText(',"value":');
  writeWordQuantity(TX_VALUE);
  writeText(',"input":');
  writeHex(load<u32>(TX_DATA), size);
  writeText(',"accessList":[],"chainId":');
  writeQuantity(load<u64>(RULES_CHAIN_ID));
  writeText(',"v":"0x0","r":"0x0","s":"0x0","yParity":"0x0"}}');
  dropInputs(before);
  return <u32>(end - base(json));
}

/** Where the JSON is. */
export function filledBase(): usize {
  return base(json);
}
