// Written by scripts/build/core-fields.mjs from tables/fields.ts: the header of the open block as JSON.
import {
  BLOCK_ACCESS_LIST_HASH, BLOCK_BASE_FEE, BLOCK_BEACON_ROOT, BLOCK_BLOB_GAS_USED, BLOCK_BLOOM, BLOCK_COINBASE,
  BLOCK_DIFFICULTY, BLOCK_EXCESS_BLOB_GAS, BLOCK_EXTRA, BLOCK_EXTRA_LENGTH, BLOCK_GAS_LIMIT, BLOCK_HASH,
  BLOCK_HAS_REQUESTS, BLOCK_NONCE, BLOCK_NUMBER, BLOCK_PARENT, BLOCK_RANDAO, BLOCK_RECEIPTS_ROOT, BLOCK_REQUESTS_HASH,
  BLOCK_SLOT, BLOCK_STATE_ROOT, BLOCK_TIME, BLOCK_TRANSACTIONS_ROOT, BLOCK_WITHDRAWALS_ROOT, NO_UNCLES, SCRATCH,
} from '../memory/layout.ts';
import {
  reverse,
} from '../memory/words.ts';
import {
  writeAddressWord, writeHex, writeQuantity, writeText, writeWordQuantity,
} from '../out/json.ts';
import {
  EIP_1559, EIP_4788, EIP_4844, EIP_4895, EIP_7843, EIP_7928,
} from '../tables/rule.ts';

/** Writes its members, without the end of the object. */
export function writeHeaderJson(gasUsed: u64): void {
  writeText('{"number":');
  writeQuantity(load<u64>(BLOCK_NUMBER));
  writeText(',"hash":');
  writeHex(BLOCK_HASH, 32);
  writeText(',"parentHash":');
  writeHex(BLOCK_PARENT, 32);
  writeText(',"sha3Uncles":');
  writeHex(NO_UNCLES, 32);
  writeText(',"miner":');
  writeAddressWord(BLOCK_COINBASE);
  writeText(',"stateRoot":');
  writeHex(BLOCK_STATE_ROOT, 32);
  writeText(',"transactionsRoot":');
  writeHex(BLOCK_TRANSACTIONS_ROOT, 32);
  writeText(',"receiptsRoot":');
  writeHex(BLOCK_RECEIPTS_ROOT, 32);
  writeText(',"logsBloom":');
  writeHex(BLOCK_BLOOM, 256);
  writeText(',"difficulty":');
  writeWordQuantity(BLOCK_DIFFICULTY);
  writeText(',"gasLimit":');
  writeQuantity(load<u64>(BLOCK_GAS_LIMIT));
  writeText(',"gasUsed":');
  writeQuantity(gasUsed);
  writeText(',"timestamp":');
  writeQuantity(load<u64>(BLOCK_TIME));
  writeText(',"extraData":');
  writeHex(BLOCK_EXTRA, load<u32>(BLOCK_EXTRA_LENGTH));
  writeText(',"mixHash":');
  reverse(SCRATCH, BLOCK_RANDAO);
  writeHex(SCRATCH, 32);
  writeText(',"nonce":');
  writeHex(BLOCK_NONCE, 8);
  if (load<u32>(EIP_1559)) {
    writeText(',"baseFeePerGas":');
    writeWordQuantity(BLOCK_BASE_FEE);
  }
  if (load<u32>(EIP_4895)) {
    writeText(',"withdrawalsRoot":');
    writeHex(BLOCK_WITHDRAWALS_ROOT, 32);
  }
  if (load<u32>(EIP_4844)) {
    writeText(',"blobGasUsed":');
    writeQuantity(load<u64>(BLOCK_BLOB_GAS_USED));
    writeText(',"excessBlobGas":');
    writeQuantity(load<u64>(BLOCK_EXCESS_BLOB_GAS));
  }
  if (load<u32>(EIP_4788)) {
    writeText(',"parentBeaconBlockRoot":');
    writeHex(BLOCK_BEACON_ROOT, 32);
  }
  if (load<u32>(BLOCK_HAS_REQUESTS)) {
    writeText(',"requestsHash":');
    writeHex(BLOCK_REQUESTS_HASH, 32);
  }
  if (load<u32>(EIP_7928)) {
    writeText(',"blockAccessListHash":');
    writeHex(BLOCK_ACCESS_LIST_HASH, 32);
  }
  if (load<u32>(EIP_7843)) {
    writeText(',"slotNumber":');
    writeQuantity(load<u64>(BLOCK_SLOT));
  }
}
