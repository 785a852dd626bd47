import type { StateWrites } from './view.ts';

export const NO_WRITES: StateWrites = { accounts: new Map(), storage: new Map(), code: new Map() };

/** Writes that are decoded lazily. Never empty. */
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

/** Whether there are no writes. */
export function isEmpty(writes: StateWrites): boolean {
  return (
    !(writes instanceof LazyWrites) && writes.accounts.size + writes.storage.size + writes.code.size === 0
  );
}

/** Whether two sets of writes are identical, not only equal. An overlay returns the same maps in a new object each time. */
export function areSame(some: StateWrites, others: StateWrites): boolean {
  if (some === others) return true;
  return !(some instanceof LazyWrites || others instanceof LazyWrites) && some.accounts === others.accounts;
}
