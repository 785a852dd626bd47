import { accessesOf } from '../engine/access-cells.ts';
import type { Accesses } from '../engine/workspace.ts';
import { type AccountAccesses, decodeAccessList, type IndexedChange } from '../protocol/access-list.ts';
import type { BlockView } from './block.ts';

/** What some indexes of a block have accessed and changed, in the form of its whole access list (EIP-7928). */
export interface AccessPart {
  /** the first index, and the one behind the last */
  readonly from: bigint;
  readonly to: bigint;
  readonly accounts: readonly AccountAccesses[];
}

/** The part of a block that is being built. */
export function partOf({ cells }: Accesses, from: bigint, to: bigint): AccessPart {
  return { from, to, accounts: accessesOf(cells, from, to) };
}

/** What one index of a block has changed. What it has only read isn't told apart by index in the list. */
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
