import { RLP } from '@ethereumjs/rlp';
import { Address, setLengthLeft } from '@ethereumjs/util';
import { stripZeros } from '../state/account.ts';
import { integerBytes, integerOf } from '../state/integers.ts';

/** A value and the block access index after which it holds: 0 = the block's start, then its transactions, then its end. */
export interface IndexedChange<T> {
  readonly index: bigint;
  readonly value: T;
}

/** The accesses and changes of one account in a block (EIP-7928). Storage keys and values have 32 bytes. */
export interface AccountAccesses {
  readonly address: Address;
  readonly storageChanges: readonly {
    readonly key: Uint8Array;
    readonly changes: readonly IndexedChange<Uint8Array>[];
  }[];
  readonly storageReads: readonly Uint8Array[];
  /** wei */
  readonly balanceChanges: readonly IndexedChange<bigint>[];
  readonly nonceChanges: readonly IndexedChange<bigint>[];
  readonly codeChanges: readonly IndexedChange<Uint8Array>[];
}

type Item = Uint8Array | readonly Item[];

/** Decodes a block access list from RLP. */
export function decodeAccessList(encoded: Uint8Array): AccountAccesses[] {
  return (RLP.decode(encoded) as Item[]).map((item) => {
    const [address, changes, reads, balances, nonces, codes] = item as [Uint8Array, ...Item[][]];
    return {
      address: new Address(address),
      storageChanges: (changes as Item[][]).map(([key, values]) => ({
        key: wordOf(key as Uint8Array),
        changes: changesOf(values as Item[], wordOf),
      })),
      storageReads: (reads as Uint8Array[]).map(wordOf),
      balanceChanges: changesOf(balances!, integerOf),
      nonceChanges: changesOf(nonces!, integerOf),
      codeChanges: changesOf(codes!, (code) => code),
    };
  });
}

/** Encodes a block access list in RLP. */
export function encodeAccessList(accounts: readonly AccountAccesses[]): Uint8Array {
  return RLP.encode(
    accounts.map(({ address, storageChanges, storageReads, balanceChanges, nonceChanges, codeChanges }) => [
      address.bytes,
      storageChanges.map(({ key, changes }) => [stripZeros(key), itemsOf(changes, stripZeros)]),
      storageReads.map(stripZeros),
      itemsOf(balanceChanges, integerBytes),
      itemsOf(nonceChanges, integerBytes),
      itemsOf(codeChanges, (code) => code),
    ]),
  );
}

function itemsOf<T>(changes: readonly IndexedChange<T>[], write: (value: T) => Uint8Array): Uint8Array[][] {
  return changes.map(({ index, value }) => [integerBytes(index), write(value)]);
}

/** The number of addresses and storage keys in the list: EIP-7928 limits it by the block's gas limit. */
export function countListItems(encoded: Uint8Array): number {
  return (RLP.decode(encoded) as [Uint8Array, Item[], Item[]][]).reduce(
    (sum, [, changes, reads]) => sum + 1 + changes.length + reads.length,
    0,
  );
}

function changesOf<T>(items: readonly Item[], read: (bytes: Uint8Array) => T): IndexedChange<T>[] {
  return items.map((item) => {
    const [index, value] = item as [Uint8Array, Uint8Array];
    return { index: integerOf(index), value: read(value) };
  });
}

function wordOf(bytes: Uint8Array): Uint8Array {
  return setLengthLeft(bytes, 32);
}
