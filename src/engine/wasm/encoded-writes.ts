import {
  CHANGED_ACCOUNT_SIZE,
  CHANGED_SLOT_SIZE,
  CHANGES_HEAD,
  ROOT_AFTER,
  ROOT_BEFORE,
} from '../../core/state/entries.ts';
import { stripZeros } from '../../state/account.ts';
import { hexKey } from '../../state/hex-key.ts';
import type { AccountState, StateWrites } from '../../state/view.ts';
import { LazyWrites } from '../../state/writes.ts';
import { wordAt } from './linear-memory.ts';

const ADDRESS = 20;
const WORD = 32;

/** The writes before the computation of a state root, in the encoding of the core's `encodeChanges`: see src/core/state/entries.ts. */
export class EncodedWrites extends LazyWrites {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super(() => decodeWrites(bytes));
    this.#bytes = bytes;
  }

  /**
   * The accounts with their storage roots after the writes. In {@link accounts} they have the storage roots before the writes, as in an
   * overlay.
   */
  get foldedAccounts(): ReadonlyMap<string, AccountState> {
    return decodeAccounts(this.#bytes, ROOT_AFTER);
  }
}

/** @param rootAt offset of the storage root in an account's entry */
function decodeAccounts(bytes: Uint8Array, rootAt: number): Map<string, AccountState> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const accounts = new Map<string, AccountState>();
  const word = (at: number) => bytes.slice(at, at + WORD);
  let at: number = CHANGES_HEAD;
  for (let left = view.getUint32(0, true); left > 0; left--, at += CHANGED_ACCOUNT_SIZE)
    accounts.set(hexKey(bytes.subarray(at, at + ADDRESS)), {
      nonce: view.getBigUint64(at + 20, true),
      balance: wordAt(view, at + 28),
      codeHash: word(at + 60),
      storageRoot: word(at + rootAt),
    });
  return accounts;
}

function decodeWrites(bytes: Uint8Array): StateWrites {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const accounts = decodeAccounts(bytes, ROOT_BEFORE);
  const storage = new Map<string, { cleared: boolean; slots: Map<string, Uint8Array> }>();
  const code = new Map<string, Uint8Array>();
  const word = (at: number) => bytes.slice(at, at + WORD);
  let at: number = CHANGES_HEAD + accounts.size * CHANGED_ACCOUNT_SIZE;
  for (let left = view.getUint32(4, true); left > 0; left--, at += CHANGED_SLOT_SIZE) {
    const address = hexKey(bytes.subarray(at, at + ADDRESS));
    let written = storage.get(address);
    if (!written) {
      written = { cleared: false, slots: new Map() };
      storage.set(address, written);
    }
    written.slots.set(hexKey(bytes.subarray(at + 20, at + 52)), stripZeros(word(at + 52)));
  }
  for (let left = view.getUint32(8, true); left > 0; left--) {
    const length = view.getUint32(at + WORD, true);
    const start = at + WORD + 4;
    code.set(hexKey(bytes.subarray(at, at + WORD)), bytes.slice(start, start + length));
    at = start + length;
  }
  return { accounts, storage, code };
}
