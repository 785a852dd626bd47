// Written by scripts/build/core-fields.mjs from tables/fields.ts: the transaction at TX as JSON. The hash of its block is missing: the caller writes it.
import {
  BLOCK_NUMBER, BLOCK_TIME, RULES_CHAIN_ID, TX_FROM, TX_GAS, TX_HASH, TX_MAX_BLOB_FEE, TX_MAX_FEE, TX_MINT, TX_NONCE,
  TX_PRIORITY_FEE, TX_SOURCE, TX_TYPE, TX_VALUE,
} from '../memory/layout.ts';
import {
  writeAddressWord, writeHex, writeQuantity, writeText, writeWordQuantity,
} from '../out/json.ts';
import {
  writeAccessList, writeAuthorizations, writeBlobs, writeGasPrice, writeInput, writeRecipient,
} from '../out/transaction-parts.ts';

/** Writes it up to the digits of the hash of its block. */
export function writeTransactionToHash(): void {
  writeText('{"blockHash":"0x');
}

/** Writes what follows these digits. */
export function writeTransactionFromHash(index: u32): void {
  writeText('"');
  writeText(',"blockNumber":');
  writeQuantity(load<u64>(BLOCK_NUMBER));
  writeText(',"blockTimestamp":');
  writeQuantity(load<u64>(BLOCK_TIME));
  writeText(',"transactionIndex":');
  writeQuantity(index);
  writeText(',"hash":');
  writeHex(TX_HASH, 32);
  writeText(',"type":');
  writeQuantity(load<u32>(TX_TYPE));
  writeText(',"from":');
  writeAddressWord(TX_FROM);
  writeText(',"to":');
  writeRecipient();
  writeText(',"nonce":');
  writeQuantity(load<u64>(TX_NONCE));
  writeText(',"gas":');
  writeQuantity(load<u64>(TX_GAS));
  writeText(',"gasPrice":');
  writeGasPrice();
  if (load<u32>(TX_TYPE) - 2 <= 2) {
    writeText(',"maxFeePerGas":');
    writeWordQuantity(TX_MAX_FEE);
    writeText(',"maxPriorityFeePerGas":');
    writeWordQuantity(TX_PRIORITY_FEE);
  }
  if (load<u32>(TX_TYPE) == 3) {
    writeText(',"maxFeePerBlobGas":');
    writeWordQuantity(TX_MAX_BLOB_FEE);
    writeText(',"blobVersionedHashes":');
    writeBlobs();
  }
  writeText(',"value":');
  writeWordQuantity(TX_VALUE);
  writeText(',"input":');
  writeInput();
  if (load<u32>(TX_TYPE) - 1 <= 3) {
    writeText(',"accessList":');
    writeAccessList();
  }
  if (load<u32>(TX_TYPE) == 4) {
    writeText(',"authorizationList":');
    writeAuthorizations();
  }
  if (load<u32>(TX_TYPE) == 126) {
    writeText(',"sourceHash":');
    writeHex(TX_SOURCE, 32);
    writeText(',"mint":');
    writeWordQuantity(TX_MINT);
    writeText(',"depositReceiptVersion":');
    writeText('"0x1"');
  }
  if (load<u32>(TX_TYPE) - 1 <= 3) {
    writeText(',"chainId":');
    writeQuantity(load<u64>(RULES_CHAIN_ID));
  }
  writeText(',"v":');
  writeText('"0x0"');
  writeText(',"r":');
  writeText('"0x0"');
  writeText(',"s":');
  writeText('"0x0"');
  if (load<u32>(TX_TYPE) - 1 <= 3) {
    writeText(',"yParity":');
    writeText('"0x0"');
  }
  writeText('}');
}
