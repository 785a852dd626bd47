// Members of the JSON of the transaction at TX (transaction-json.ts) that are more than a number or bytes.
import {
  TX_ACCESS_LIST, TX_ACCESS_LIST_END, TX_AUTHORIZATIONS, TX_AUTHORIZATIONS_END, TX_BLOB_COUNT, TX_BLOBS, TX_DATA, TX_DATA_LENGTH, TX_GAS_PRICE,
  TX_HAS_TO, TX_MAX_FEE, TX_TO, TX_TYPE,
} from '../memory/layout.ts';
import { writeAddressWord, writeHex, writeIntegerBytes, writeText, writeWordQuantity } from './json.ts';
import { isAtEnd, item, itemSize, moveTo, nextBytes, nextItem, nextList, position, startReading } from '../memory/rlp.ts';
import { DYNAMIC_FEE } from '../transaction/transaction.ts';
import { accessListBytes, authorizationBytes, blobBytes } from '../transaction/unsigned-transaction.ts';

/** maximum size of a transaction's JSON without data and lists, in bytes */
const FIELDS_ROOM: u32 = 2048;
/** maximum bytes of JSON for one byte of a list's RLP: an authorization has at least 27 bytes of RLP, and six names in JSON */
const LIST_FACTOR: u32 = 8;

/** Maximum size of the transaction's JSON, in bytes. */
export function roomForTransaction(): u32 {
  return FIELDS_ROOM + 2 * load<u32>(TX_DATA_LENGTH) + LIST_FACTOR * (accessListBytes() + blobBytes() + authorizationBytes());
}

export function writeRecipient(): void {
  if (load<u32>(TX_HAS_TO)) writeAddressWord(TX_TO);
  else writeText('null');
}

export function writeGasPrice(): void {
  writeWordQuantity(load<u32>(TX_TYPE) < DYNAMIC_FEE ? TX_MAX_FEE : TX_GAS_PRICE);
}

export function writeInput(): void {
  writeHex(load<u32>(TX_DATA), load<u32>(TX_DATA_LENGTH));
}

export function writeBlobs(): void {
  writeText('[');
  for (let i: u32 = 0; i < load<u32>(TX_BLOB_COUNT); i++) {
    if (i > 0) writeText(',');
    writeHex(load<u32>(TX_BLOBS) + 33 * i + 1, 32);
  }
  writeText(']');
}

export function writeAccessList(): void {
  const end: usize = load<u32>(TX_ACCESS_LIST_END);
  writeText('[');
  startReading(load<u32>(TX_ACCESS_LIST), end);
  for (let accounts = 0; position < end; accounts++) {
    nextList();
    const after = position;
    moveTo(item);
    writeText(accounts > 0 ? ',{"address":' : '{"address":');
    writeHex(nextBytes(20), 20);
    writeText(',"storageKeys":[');
    nextList();
    moveTo(item);
    for (let slots = 0; position < after; slots++) {
      if (slots > 0) writeText(',');
      writeHex(nextBytes(32), 32);
    }
    writeText(']}');
  }
  writeText(']');
}

/** EIP-7702 */
export function writeAuthorizations(): void {
  writeText('[');
  startReading(load<u32>(TX_AUTHORIZATIONS), load<u32>(TX_AUTHORIZATIONS_END));
  for (let i = 0; !isAtEnd(); i++) {
    nextList();
    moveTo(item);
    writeText(i > 0 ? ',{"chainId":' : '{"chainId":');
    writeNextInteger();
    writeText(',"address":');
    nextItem();
    writeHex(item, itemSize);
    writeText(',"nonce":');
    writeNextInteger();
    writeText(',"yParity":');
    writeNextInteger();
    writeText(',"r":');
    writeNextInteger();
    writeText(',"s":');
    writeNextInteger();
    writeText('}');
  }
  writeText(']');
}

function writeNextInteger(): void {
  nextItem();
  writeIntegerBytes(item, itemSize);
}
