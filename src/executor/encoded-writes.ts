import { CHANGED_ACCOUNT_SIZE, CHANGED_SLOT_SIZE, CHANGES_HEAD } from '../core/entries.ts';
import { stripZeros } from '../state/account.ts';
import { hexKey } from '../state/hex-key.ts';
import type { AccountState, StateWrites } from '../state/view.ts';

const ADDRESS = 20;
const WORD = 32;

/** What the core wrote, as its `encodeChanges` laid it out: see src/core/entries.ts. */
export function decodeWrites(bytes: Uint8Array): StateWrites {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const accounts = new Map<string, AccountState>();
  const storage = new Map<string, { cleared: boolean; slots: Map<string, Uint8Array> }>();
  const code = new Map<string, Uint8Array>();
  const word = (at: number) => bytes.slice(at, at + WORD);
  let at: number = CHANGES_HEAD;
  for (let left = view.getUint32(0, true); left > 0; left--, at += CHANGED_ACCOUNT_SIZE)
    accounts.set(hexKey(bytes.subarray(at, at + ADDRESS)), {
      nonce: view.getBigUint64(at + 20, true),
      balance: wordAt(view, at + 28),
      codeHash: word(at + 60),
      storageRoot: word(at + 92),
    });
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

function wordAt(view: DataView, at: number): bigint {
  let value = 0n;
  for (let i = 24; i >= 0; i -= 8) value = (value << 64n) | view.getBigUint64(at + i, true);
  return value;
}
