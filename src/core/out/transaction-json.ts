// The transaction at TX, which nobody has signed and which is in the open block, as JSON. The hash of its block isn't known yet: the
// caller writes it.
import {
  BLOCK_NUMBER, BLOCK_TIME, RULES_CHAIN_ID, TX_ACCESS_LIST, TX_ACCESS_LIST_END, TX_AUTHORIZATIONS, TX_AUTHORIZATIONS_END,
  TX_BLOB_COUNT, TX_BLOBS, TX_DATA, TX_DATA_LENGTH, TX_FROM, TX_GAS, TX_GAS_PRICE, TX_HAS_TO, TX_HASH, TX_MAX_BLOB_FEE, TX_MAX_FEE, TX_NONCE,
  TX_PRIORITY_FEE, TX_TO, TX_TYPE, TX_VALUE,
} from '../memory/layout.ts';
import { writeAddressWord, writeHex, writeIntegerBytes, writeQuantity, writeText, writeWordQuantity } from './json.ts';
import { isAtEnd, item, itemSize, moveTo, nextBytes, nextItem, nextList, position, startReading } from '../memory/rlp.ts';
import { BLOB, DYNAMIC_FEE, LEGACY, SET_CODE } from '../transaction/transaction.ts';
import { accessListBytes, authorizationBytes, blobBytes } from '../transaction/unsigned-transaction.ts';

/** bytes of a transaction besides data and lists, at most */
const FIELDS_ROOM: u32 = 2048;
/** bytes of JSON for one of a list's RLP, at most: an authorization has at least 27, and six names */
const LIST_FACTOR: u32 = 8;

/** Bytes that it takes, at most. */
export function roomForTransaction(): u32 {
  return FIELDS_ROOM + 2 * load<u32>(TX_DATA_LENGTH) + LIST_FACTOR * (accessListBytes() + blobBytes() + authorizationBytes());
}

/** Writes what precedes the digits of the hash of its block. */
export function startTransaction(): void {
  writeText('{"blockHash":"0x');
}

/** Writes what follows these digits. @param index of the transaction in the block */
export function writeTransactionFromHash(index: u32): void {
  const type = load<u32>(TX_TYPE);
  writeText('","blockNumber":');
  writeQuantity(load<u64>(BLOCK_NUMBER));
  writeText(',"blockTimestamp":');
  writeQuantity(load<u64>(BLOCK_TIME));
  writeText(',"transactionIndex":');
  writeQuantity(index);
  writeText(',"hash":');
  writeHex(TX_HASH, 32);
  writeText(',"type":');
  writeQuantity(type);
  writeText(',"from":');
  writeAddressWord(TX_FROM);
  writeText(',"to":');
  if (load<u32>(TX_HAS_TO)) writeAddressWord(TX_TO);
  else writeText('null');
  writeText(',"nonce":');
  writeQuantity(load<u64>(TX_NONCE));
  writeText(',"gas":');
  writeQuantity(load<u64>(TX_GAS));
  writeText(',"gasPrice":');
  writeWordQuantity(type < DYNAMIC_FEE ? TX_MAX_FEE : TX_GAS_PRICE);
  if (type >= DYNAMIC_FEE) {
    writeText(',"maxFeePerGas":');
    writeWordQuantity(TX_MAX_FEE);
    writeText(',"maxPriorityFeePerGas":');
    writeWordQuantity(TX_PRIORITY_FEE);
  }
  if (type == BLOB) {
    writeText(',"maxFeePerBlobGas":');
    writeWordQuantity(TX_MAX_BLOB_FEE);
    writeBlobs();
  }
  writeText(',"value":');
  writeWordQuantity(TX_VALUE);
  writeText(',"input":');
  writeHex(load<u32>(TX_DATA), load<u32>(TX_DATA_LENGTH));
  if (type != LEGACY) writeAccessList();
  if (type == SET_CODE) writeAuthorizations();
  if (type != LEGACY) {
    writeText(',"chainId":');
    writeQuantity(load<u64>(RULES_CHAIN_ID));
  }
  writeText(',"v":"0x0","r":"0x0","s":"0x0"');
  if (type != LEGACY) writeText(',"yParity":"0x0"');
  writeText('}');
}

function writeBlobs(): void {
  writeText(',"blobVersionedHashes":[');
  for (let i: u32 = 0; i < load<u32>(TX_BLOB_COUNT); i++) {
    if (i > 0) writeText(',');
    writeHex(load<u32>(TX_BLOBS) + 33 * i + 1, 32);
  }
  writeText(']');
}

function writeAccessList(): void {
  const end: usize = load<u32>(TX_ACCESS_LIST_END);
  writeText(',"accessList":[');
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
function writeAuthorizations(): void {
  writeText(',"authorizationList":[');
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
