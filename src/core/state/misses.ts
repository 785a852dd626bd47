// What a run stands still for, until the host has it.
import { MISSING_BLOCK_HASH, MISSING_NODE } from '../memory/halts.ts';
import { MISS_ELSEWHERE, MISS_ENTRY, MISS_KIND, MISS_NUMBER } from '../memory/layout.ts';

/** @returns true */
export function miss(kind: u32, entry: usize): bool {
  store<u32>(MISS_KIND, kind);
  store<u32>(MISS_ENTRY, <u32>entry);
  return true;
}

/** @param isElsewhere whether it is that of the state from which the tries differ. @returns true */
export function missPart(kind: u32, entry: usize, isElsewhere: bool): bool {
  store<u32>(MISS_ELSEWHERE, u32(isElsewhere));
  return miss(kind, entry);
}

export function missBlockHash(number: u64): void {
  store<u64>(MISS_NUMBER, number);
  miss(MISSING_BLOCK_HASH, 0);
}

/** @param hash where it is, until the node has come */
export function missNode(hash: usize): void {
  miss(MISSING_NODE, hash);
}
