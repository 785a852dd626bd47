import { Address, concatBytes, equalsBytes } from '@ethereumjs/util';
import {
  BALANCE_CHANGED,
  CODE_CHANGED,
  NONCE_CHANGED,
  SLOT_CHANGED,
  SLOT_READ,
  TOUCHED,
} from '../core/state/cell-kinds.ts';
import * as cell from '../core/state/entries.ts';
import type { AccountAccesses } from '../protocol/access-list.ts';
import { NEW_ACCOUNT } from '../state/account.ts';
import { addressOfKey, keyBytes } from '../state/hex-key.ts';
import { integerOf, integerWord } from '../state/integers.ts';
import type { StateView } from '../state/view.ts';
import type { Touched } from './touched.ts';

/** The first bytes of a cell identify it, and cells are sorted by them: address, kind, storage key, block access index. */
const CELL_NAME = cell.CELL_CODE_LENGTH;
const NO_KEY = new Uint8Array(32);

/**
 * Returns the cells of what one block access index (EIP-7928) has accessed and changed, in the format of src/core/state/accesses.ts.
 * @param before the state at the beginning of the index
 * @param after the state at its end
 */
export async function cellsOf(
  touched: Touched,
  index: number,
  before: StateView,
  after: StateView,
): Promise<Uint8Array> {
  const cells: Uint8Array[] = [];
  for (const [account, slots] of touched) {
    const address = addressOfKey(account);
    const add = (kind: number, value?: Uint8Array, { key = NO_KEY, code }: CellOptions = {}) =>
      cells.push(cellOf({ address, kind, key, index, value, code }));
    const old = (await before.getAccount(address)) ?? NEW_ACCOUNT;
    const now = (await after.getAccount(address)) ?? NEW_ACCOUNT;
    const count = cells.length;
    if (now.balance !== old.balance) add(BALANCE_CHANGED, integerWord(now.balance));
    if (now.nonce !== old.nonce) add(NONCE_CHANGED, integerWord(now.nonce));
    if (!equalsBytes(now.codeHash, old.codeHash))
      add(CODE_CHANGED, undefined, { code: await after.getCode(address) });
    if (cells.length === count) add(TOUCHED);
    for (const slot of slots) {
      const key = keyBytes(slot);
      const value = await after.getStorage(address, key);
      if (equalsBytes(value, await before.getStorage(address, key))) add(SLOT_READ, undefined, { key });
      else add(SLOT_CHANGED, integerWord(integerOf(value)), { key });
    }
  }
  return concatBytes(...cells);
}

interface CellOptions {
  readonly key?: Uint8Array;
  readonly code?: Uint8Array;
}

function cellOf({
  address,
  kind,
  key,
  index,
  value,
  code,
}: {
  readonly address: Address;
  readonly kind: number;
  readonly key: Uint8Array;
  readonly index: number;
  readonly value: Uint8Array | undefined;
  readonly code: Uint8Array | undefined;
}): Uint8Array {
  const length = code?.length ?? 0;
  const bytes = new Uint8Array(sizeOf(length));
  const view = new DataView(bytes.buffer);
  bytes.set(address.bytes, cell.CELL_ADDRESS);
  view.setUint32(cell.CELL_KIND, kind);
  bytes.set(key, cell.CELL_KEY);
  view.setUint32(cell.CELL_INDEX, index);
  view.setUint32(cell.CELL_CODE_LENGTH, length, true);
  if (value) bytes.set(value, cell.CELL_VALUE);
  if (code) bytes.set(code, cell.CELL_SIZE);
  return bytes;
}

/** The size in bytes of a cell with a code of this length. */
function sizeOf(codeLength: number): number {
  return cell.CELL_SIZE + ((codeLength + 31) & ~31);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? Mutable<E>[] : T[K] };

/**
 * What a block has accessed and changed, in the order of its access list (EIP-7928).
 * @param from the first block access index that is included
 * @param to the first one that is not included any more; absent: no limit
 */
export function accessesOf(cells: Uint8Array, from = 0n, to?: bigint): AccountAccesses[] {
  const accounts: Mutable<AccountAccesses>[] = [];
  for (const { address, kind, key, index, value, code } of sortedCells(cells)) {
    if (index < from || (to !== undefined && index >= to)) continue;
    let account = accounts.at(-1);
    if (!account || !equalsBytes(account.address.bytes, address)) {
      account = emptyAccesses(new Address(address));
      accounts.push(account);
    }
    const { storageChanges, storageReads, balanceChanges, nonceChanges, codeChanges } = account;
    if (kind === SLOT_CHANGED) {
      const last = storageChanges.at(-1);
      if (last && equalsBytes(last.key, key)) last.changes.push({ index, value });
      else storageChanges.push({ key, changes: [{ index, value }] });
    } else if (kind === SLOT_READ) {
      const isLast = storageReads.length > 0 && equalsBytes(storageReads.at(-1)!, key);
      if (!isLast && !storageChanges.some((changed) => equalsBytes(changed.key, key))) storageReads.push(key);
    } else if (kind === BALANCE_CHANGED) balanceChanges.push({ index, value: integerOf(value) });
    else if (kind === NONCE_CHANGED) nonceChanges.push({ index, value: integerOf(value) });
    else if (kind === CODE_CHANGED) codeChanges.push({ index, value: code });
  }
  return accounts;
}

function emptyAccesses(address: Address): Mutable<AccountAccesses> {
  return {
    address,
    storageChanges: [],
    storageReads: [],
    balanceChanges: [],
    nonceChanges: [],
    codeChanges: [],
  };
}

function sortedCells(cells: Uint8Array) {
  const view = new DataView(cells.buffer, cells.byteOffset, cells.length);
  const starts: number[] = [];
  for (let at = 0; at < cells.length; at += sizeOf(view.getUint32(at + cell.CELL_CODE_LENGTH, true)))
    starts.push(at);
  const nameOf = (at: number) => cells.subarray(at, at + CELL_NAME);
  starts.sort((a, b) => Buffer.compare(nameOf(a), nameOf(b)));
  return starts.map((at) => {
    const bytes = (offset: number, length: number) => cells.slice(at + offset, at + offset + length);
    return {
      address: bytes(cell.CELL_ADDRESS, 20),
      kind: view.getUint32(at + cell.CELL_KIND),
      key: bytes(cell.CELL_KEY, 32),
      index: BigInt(view.getUint32(at + cell.CELL_INDEX)),
      value: bytes(cell.CELL_VALUE, 32),
      code: bytes(cell.CELL_SIZE, view.getUint32(at + cell.CELL_CODE_LENGTH, true)),
    };
  });
}
