// Opcodes that read accounts: BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH; also BLOCKHASH and BLOBHASH.
import { CODE_BYTES, CODE_LENGTH } from '../state/entries.ts';
import { accessAccount } from '../state/accesses.ts';
import { accountAt, BALANCE, CODE, CODE_HASH, isEmpty } from '../state/accounts.ts';
import { copyCode } from './data-opcodes.ts';
import { accessesAccount } from './events.ts';
import { expandTo } from './evm-memory.ts';
import { charge, operand } from './frames.ts';
import { MISSING, NONE, OUT_OF_GAS, WAITS } from '../memory/halts.ts';
import { BLOCK_NUMBER, HASHES, TX_BLOB_COUNT, TX_BLOBS } from '../memory/layout.ts';
import { tellStep } from './steps.ts';
import { missBlockHash } from '../state/misses.ts';
import { isAccountMissing, isCodeMissing } from '../trie/missing.ts';
import { access } from '../state/warm.ts';
import { copyWord, reverse, setWord, upper } from '../memory/words.ts';

export function balance(): i32 {
  const at = operand(1), account = accountAt(at);
  accessesAccount(account);
  if (isAccountMissing(account)) return MISSING;
  if (!charge(access(account))) return OUT_OF_GAS;
  accessAccount(account);
  if (TELLS_STEPS && tellStep()) return WAITS;
  copyWord(at, account + BALANCE);
  return NONE;
}

export function codeSize(): i32 {
  const at = operand(1), account = accountAt(at);
  accessesAccount(account);
  if (isCodeMissing(account)) return MISSING;
  if (!charge(access(account))) return OUT_OF_GAS;
  accessAccount(account);
  if (TELLS_STEPS && tellStep()) return WAITS;
  const record: usize = load<u32>(account, CODE);
  setWord(at, record ? load<u32>(record, CODE_LENGTH) : 0);
  return NONE;
}

export function codeHash(): i32 {
  const at = operand(1), account = accountAt(at);
  accessesAccount(account);
  if (isAccountMissing(account)) return MISSING;
  if (!charge(access(account))) return OUT_OF_GAS;
  accessAccount(account);
  if (TELLS_STEPS && tellStep()) return WAITS;
  // EIP-1052
  if (isEmpty(account)) setWord(at, 0);
  else reverse(at, account + CODE_HASH);
  return NONE;
}

export function externalCodeCopy(): i32 {
  const account = accountAt(operand(1));
  accessesAccount(account);
  if (isCodeMissing(account)) return MISSING;
  const halt = expandTo(operand(2), operand(4));
  if (halt) return halt;
  if (!charge(access(account))) return OUT_OF_GAS;
  const record: usize = load<u32>(account, CODE);
  const end = copyCode(record + CODE_BYTES, record ? load<u32>(record, CODE_LENGTH) : 0);
  if (end == NONE) accessAccount(account);
  return end;
}

export function blockHash(): i32 {
  const at = operand(1), number = load<u64>(at), current = load<u64>(BLOCK_NUMBER);
  if (upper(at) != 0 || number >= current || current - number > 256) {
    setWord(at, 0);
    return NONE;
  }
  const entry = HASHES + ((<usize>number & 255) << 6);
  if (load<u64>(entry) != number || !load<u8>(entry, 8)) {
    missBlockHash(number);
    return MISSING;
  }
  reverse(at, entry + 32);
  return NONE;
}

/** EIP-4844 */
export function blobHash(at: usize): void {
  if (upper(at) != 0 || load<u64>(at) >= load<u32>(TX_BLOB_COUNT)) setWord(at, 0);
  else reverse(at, <usize>load<u32>(TX_BLOBS) + <usize>load<u64>(at) * 33 + 1);
}

