// Written by scripts/build/core-fields.mjs from tables/fields.ts: the receipt of the last transaction as the store has it.
import {
  BLOCK_GAS_USED, RESULT_GAS_USED, TX_GAS_PRICE, TX_TYPE,
} from '../memory/layout.ts';
import {
  writeInteger, writeWord,
} from '../memory/rlp.ts';
import {
  writeBlobGas, writeBlobGasPrice, writeBloom, writeCreated, writeLogs, writeStateRoot, writeStatus,
} from '../out/receipt-parts.ts';

/** Writes the items of its list. */
export function writeReceiptFields(): void {
  writeInteger(load<u32>(TX_TYPE));
  writeStatus();
  writeStateRoot();
  writeInteger(load<u64>(RESULT_GAS_USED));
  writeInteger(load<u64>(BLOCK_GAS_USED));
  writeBloom();
  writeLogs();
  writeCreated();
  writeWord(TX_GAS_PRICE);
  writeBlobGas();
  writeBlobGasPrice();
}
