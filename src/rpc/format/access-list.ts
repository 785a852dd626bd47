import type { AccountAccesses, IndexedChange } from '../../protocol/access-list.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';

/** Formats what a block read and changed of an account (EIP-7928), as in the execution-apis specification. */
export function formatAccesses(accesses: AccountAccesses) {
  return {
    address: accesses.address.toString(),
    storageChanges: accesses.storageChanges.map(({ key, changes }) => ({
      key: hex(key),
      changes: changes.map((change) => valued(change, hex)),
    })),
    storageReads: accesses.storageReads.map(hex),
    balanceChanges: accesses.balanceChanges.map((change) => valued(change, quantity)),
    nonceChanges: accesses.nonceChanges.map((change) => valued(change, quantity)),
    codeChanges: accesses.codeChanges.map(({ index, value }) => ({
      index: quantity(index),
      code: hex(value),
    })),
  };
}

function valued<T>({ index, value }: IndexedChange<T>, format: (value: T) => Hex) {
  return { index: quantity(index), value: format(value) };
}
