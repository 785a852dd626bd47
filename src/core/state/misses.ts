// The missing state for which a run is paused until the host provides it.
import { MISSING_BLOCK_HASH, MISSING_NODE } from '../memory/halts.ts';
import { MISS_ELSEWHERE, MISS_ENTRY, MISS_KIND, MISS_NUMBER } from '../memory/layout.ts';

/** @returns true */
export function miss(kind: u32, entry: usize): bool {
  store<u32>(MISS_KIND, kind);
  store<u32>(MISS_ENTRY, <u32>entry);
  return true;
}

/** @param isElsewhere whether the value is that of the state on which tries of differences are based. @returns true */
export function missPart(kind: u32, entry: usize, isElsewhere: bool): bool {
  store<u32>(MISS_ELSEWHERE, u32(isElsewhere));
  return miss(kind, entry);
}

export function missBlockHash(number: u64): void {
  store<u64>(MISS_NUMBER, number);
  miss(MISSING_BLOCK_HASH, 0);
}

/** @param hash address of the node's hash, which must stay unchanged until the node is added */
export function missNode(hash: usize): void {
  miss(MISSING_NODE, hash);
}
