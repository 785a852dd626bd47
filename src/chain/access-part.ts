import { Address } from '@ethereumjs/util';
import {
  BALANCE_CHANGED,
  CODE_CHANGED,
  NONCE_CHANGED,
  SLOT_CHANGED,
  SLOT_READ,
} from '../core/state/cell-kinds.ts';
import * as cell from '../core/state/entries.ts';
import type { BlockAccesses } from '../evm/block-maker.ts';
import { integerOf } from '../state/integers.ts';
import { type AccountAccesses, decodeAccessList, type IndexedChange } from './access-list.ts';
import type { BlockView } from './block.ts';

/** What some indexes of a block have accessed and changed, in the form of its whole access list (EIP-7928). */
export interface AccessPart {
  /** the first index, and the one behind the last */
  readonly from: bigint;
  readonly to: bigint;
  readonly accounts: readonly AccountAccesses[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** The part of a block that is being built. */
export function partOf({ cells }: BlockAccesses, from: bigint, to: bigint): AccessPart {
  const view = new DataView(cells.buffer, cells.byteOffset, cells.length);
  const accounts = new Map<string, Mutable<AccountAccesses>>();
  for (let at = 0, length = 0; at < cells.length; at += cell.CELL_SIZE + ((length + 31) & ~31)) {
    length = view.getUint32(at + cell.CELL_CODE_LENGTH, true);
    const index = BigInt(view.getUint32(at + cell.CELL_INDEX));
    if (index < from || index >= to) continue;
    const account = accountIn(accounts, cells.slice(at + cell.CELL_ADDRESS, at + cell.CELL_ADDRESS + 20));
    const key = cells.slice(at + cell.CELL_KEY, at + cell.CELL_KEY + 32);
    const value = cells.slice(at + cell.CELL_VALUE, at + cell.CELL_VALUE + 32);
    switch (view.getUint32(at + cell.CELL_KIND)) {
      case SLOT_CHANGED:
        account.storageChanges.push({ key, changes: [{ index, value }] });
        break;
      case SLOT_READ:
        account.storageReads.push(key);
        break;
      case BALANCE_CHANGED:
        account.balanceChanges.push({ index, value: integerOf(value) });
        break;
      case NONCE_CHANGED:
        account.nonceChanges.push({ index, value: integerOf(value) });
        break;
      case CODE_CHANGED: {
        const code = at + cell.CELL_SIZE;
        account.codeChanges.push({ index, value: cells.slice(code, code + length) });
      }
    }
  }
  return { from, to, accounts: [...accounts.values()].sort(byAddress) };
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

function accountIn(
  accounts: Map<string, Mutable<AccountAccesses>>,
  address: Uint8Array,
): Mutable<AccountAccesses> {
  const key = Buffer.from(address).toString('hex');
  let account = accounts.get(key);
  if (!account) {
    account = {
      address: new Address(address),
      storageChanges: [],
      storageReads: [],
      balanceChanges: [],
      nonceChanges: [],
      codeChanges: [],
    };
    accounts.set(key, account);
  }
  return account;
}

function byAddress(a: Pick<AccountAccesses, 'address'>, b: Pick<AccountAccesses, 'address'>): number {
  return Buffer.compare(a.address.bytes, b.address.bytes);
}
