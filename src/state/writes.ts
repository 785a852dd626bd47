import { turns } from '../turns.ts';
import { keyBytes } from './hex-key.ts';
import { keccak256 } from './keccak.ts';
import type { AccountState, StateWrites, StorageWrites } from './view.ts';

export const NO_WRITES: StateWrites = { accounts: new Map(), storage: new Map(), code: new Map() };

/** Writes that are decoded when somebody first looks at them. There is at least one. */
export class LazyWrites implements StateWrites {
  #decode: (() => StateWrites) | undefined;
  #decoded: StateWrites | undefined;

  constructor(decode: () => StateWrites) {
    this.#decode = decode;
  }

  get accounts(): StateWrites['accounts'] {
    return this.#all.accounts;
  }

  get storage(): StateWrites['storage'] {
    return this.#all.storage;
  }

  get code(): StateWrites['code'] {
    return this.#all.code;
  }

  get #all(): StateWrites {
    if (this.#decode) {
      this.#decoded = this.#decode();
      this.#decode = undefined;
    }
    return this.#decoded!;
  }
}

/** Whether nothing was written. */
export function isEmpty(writes: StateWrites): boolean {
  return (
    !(writes instanceof LazyWrites) && writes.accounts.size + writes.storage.size + writes.code.size === 0
  );
}

/** Whether two writes are the same, not only equal. An overlay's writes are handed out in a new object each time. */
export function areSame(some: StateWrites, others: StateWrites): boolean {
  if (some === others) return true;
  return !(some instanceof LazyWrites || others instanceof LazyWrites) && some.accounts === others.accounts;
}

/** Accounts and slots whose tries are made in one step: a few milliseconds' work. */
const PART = 500;

/** Whether the tries of these writes take long to make: see {@link partsOf}. */
export function areMany({ accounts, storage }: StateWrites): boolean {
  let size = accounts.size;
  for (const { slots } of storage.values()) {
    if (size > PART) return true;
    size += slots.size;
  }
  return size > PART;
}

/**
 * Divides many writes. Made one after the other, the parts come to the same state. Accounts that are neighbours in the trie
 * come together, so that few nodes are made more than once.
 */
export async function* partsOf({ accounts, storage, code }: StateWrites): AsyncGenerator<StateWrites> {
  const buckets: string[][] = Array.from(
    { length: Math.ceil((accounts.size + storage.size) / PART) },
    () => [],
  );
  for (const written of [accounts, storage])
    for (const key of written.keys()) {
      if (written === storage && accounts.has(key)) continue;
      const hash = keccak256(keyBytes(key));
      const place = (hash[0]! * 2 ** 16 + hash[1]! * 2 ** 8 + hash[2]!) / 2 ** 24;
      buckets[Math.floor(place * buckets.length)]!.push(key);
      if (turns.due) await turns.pause();
    }
  let part = {
    accounts: new Map<string, AccountState | undefined>(),
    storage: new Map<string, StorageWrites>(),
    code,
  };
  let size = 0;
  const next = () => {
    const ended = part;
    part = { accounts: new Map(), storage: new Map(), code: new Map() };
    size = 0;
    return ended;
  };
  for (const bucket of buckets)
    for (const key of bucket) {
      if (accounts.has(key)) part.accounts.set(key, accounts.get(key));
      size++;
      const written = storage.get(key);
      if (written) {
        let slots = new Map<string, Uint8Array>();
        part.storage.set(key, { cleared: written.cleared, slots });
        for (const [slot, value] of written.slots) {
          if (size >= PART) {
            yield next();
            slots = new Map();
            part.storage.set(key, { cleared: false, slots });
          }
          slots.set(slot, value);
          size++;
        }
      }
      if (size >= PART) yield next();
    }
  yield next();
}
