// Written by scripts/build/core-fields.mjs from tables/fields.ts: the fields of the open block, in RLP.
import {
  BLOCK_ACCESS_LIST_HASH, BLOCK_BASE_FEE, BLOCK_BEACON_ROOT, BLOCK_BLOB_GAS_USED, BLOCK_BLOOM, BLOCK_COINBASE,
  BLOCK_DIFFICULTY, BLOCK_EXCESS_BLOB_GAS, BLOCK_EXTRA, BLOCK_EXTRA_LENGTH, BLOCK_GAS_LIMIT, BLOCK_HAS_REQUESTS,
  BLOCK_NONCE, BLOCK_NUMBER, BLOCK_PARENT, BLOCK_RANDAO, BLOCK_RECEIPTS_ROOT, BLOCK_REQUESTS_HASH, BLOCK_SLOT,
  BLOCK_STATE_ROOT, BLOCK_TIME, BLOCK_TRANSACTIONS_ROOT, BLOCK_WITHDRAWALS_ROOT, NO_UNCLES, SCRATCH,
} from '../memory/layout.ts';
import {
  writeHash, writeInteger, writeString, writeWord,
} from '../memory/rlp.ts';
import {
  reverse,
} from '../memory/words.ts';
import {
  EIP_1559, EIP_4788, EIP_4844, EIP_4895, EIP_7843, EIP_7928,
} from '../tables/rule.ts';

/** Writes the fields of its header. */
export function writeHeaderFields(gasUsed: u64): void {
  writeHash(BLOCK_PARENT);
  writeHash(NO_UNCLES);
  reverse(SCRATCH, BLOCK_COINBASE);
  writeString(SCRATCH + 12, 20);
  writeHash(BLOCK_STATE_ROOT);
  writeHash(BLOCK_TRANSACTIONS_ROOT);
  writeHash(BLOCK_RECEIPTS_ROOT);
  writeString(BLOCK_BLOOM, 256);
  writeWord(BLOCK_DIFFICULTY);
  writeInteger(load<u64>(BLOCK_NUMBER));
  writeInteger(load<u64>(BLOCK_GAS_LIMIT));
  writeInteger(gasUsed);
  writeInteger(load<u64>(BLOCK_TIME));
  writeString(BLOCK_EXTRA, load<u32>(BLOCK_EXTRA_LENGTH));
  reverse(SCRATCH, BLOCK_RANDAO);
  writeHash(SCRATCH);
  writeString(BLOCK_NONCE, 8);
  if (load<u32>(EIP_1559)) {
    writeWord(BLOCK_BASE_FEE);
  }
  if (load<u32>(EIP_4895)) {
    writeHash(BLOCK_WITHDRAWALS_ROOT);
  }
  if (load<u32>(EIP_4844)) {
    writeInteger(load<u64>(BLOCK_BLOB_GAS_USED));
    writeInteger(load<u64>(BLOCK_EXCESS_BLOB_GAS));
  }
  if (load<u32>(EIP_4788)) {
    writeHash(BLOCK_BEACON_ROOT);
  }
  if (load<u32>(BLOCK_HAS_REQUESTS)) {
    writeHash(BLOCK_REQUESTS_HASH);
  }
  if (load<u32>(EIP_7928)) {
    writeHash(BLOCK_ACCESS_LIST_HASH);
  }
  if (load<u32>(EIP_7843)) {
    writeInteger(load<u64>(BLOCK_SLOT));
  }
}
