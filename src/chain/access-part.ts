import { accessesOf } from '../engine/access-cells.ts';
import type { Accesses } from '../engine/workspace.ts';
import { type AccountAccesses, decodeAccessList, type IndexedChange } from '../protocol/access-list.ts';
import type { BlockView } from './block.ts';

/** The accesses and changes of a range of a block's indexes, in the form of a complete block access list (EIP-7928). */
export interface AccessPart {
  /** the first index, inclusive, and the end, exclusive */
  readonly from: bigint;
  readonly to: bigint;
  readonly accounts: readonly AccountAccesses[];
}

/** A part of an open block's access list. */
export function partOf({ cells }: Accesses, from: bigint, to: bigint): AccessPart {
  return { from, to, accounts: accessesOf(cells, from, to) };
}

/** The changes of one index of a block. Of a sealed block, without reads: the access list doesn't give an index for them. */
export function changesAt(
  block: Pick<BlockView, 'accessList' | 'accesses'>,
  index: bigint,
): AccessPart | undefined {
  if (block.accesses && index < BigInt(block.accesses.indexes))
    return partOf(block.accesses, index, index + 1n);
  if (!block.accessList) return undefined;
  const at = <T>(changes: readonly IndexedChange<T>[]) => changes.filter((change) => change.index === index);
  const accounts = decodeAccessList(block.accessList)
    .map((account) => ({
      address: account.address,
      storageChanges: account.storageChanges
        .map(({ key, changes }) => ({ key, changes: at(changes) }))
        .filter(({ changes }) => changes.length > 0),
      storageReads: [],
      balanceChanges: at(account.balanceChanges),
      nonceChanges: at(account.nonceChanges),
      codeChanges: at(account.codeChanges),
    }))
    .filter((account) => Object.values(account).some((part) => Array.isArray(part) && part.length > 0));
  return { from: index, to: index + 1n, accounts };
}
