import type { Address } from '@ethereumjs/util';
import {
  EMPTY_BYTES,
  EMPTY_CODE_HASH,
  EMPTY_ROOT,
  hasCode,
  MAX_BALANCE,
  NEW_ACCOUNT,
  stripZeros,
} from './account.ts';
import { addressOfKey, hexKey } from './hex-key.ts';
import { keccak256 } from './keccak.ts';
import type { AccountState, Awaitable, StateView, StateWrites } from './view.ts';

/** The fields to write to an account. Without `storageRoot` the account keeps its known root. */
export type AccountWrite = Omit<AccountState, 'storageRoot'> & { readonly storageRoot?: Uint8Array };

interface StorageRecord {
  readonly cleared: boolean;
  readonly slots: Map<string, Uint8Array>;
}

/** Writes that an overlay has applied as a whole, and its version before and after that. */
export interface Applied {
  readonly writes: StateWrites;
  readonly before: number;
  readonly after: number;
}

/** Undoes one write. All written state is in maps, so a map, a key and its previous value suffice. */
interface Undo {
  readonly map: Map<string, unknown>;
  readonly key: string;
  readonly had: boolean;
  readonly previous: unknown;
}

/**
 * Collects writes on top of a view, which stays unchanged. Overlays nest: `new Overlay(parent)`; the parent must not be
 * written to while the child is in use. The cost of a checkpoint depends on the number of writes since then, not on the
 * size of the overlay.
 */
export class Overlay implements StateView {
  readonly base: StateView;
  readonly #accounts = new Map<string, AccountState | undefined>();
  readonly #storage = new Map<string, StorageRecord>();
  readonly #code = new Map<string, Uint8Array>();
  /** Cached reads from the base. Absent if the base is an overlay, which has its own cache and may change between two children. */
  readonly #read: Reads | undefined;
  readonly #journal: Undo[] = [];
  /** journal lengths at the open checkpoints */
  readonly #marks: number[] = [];
  /** False until storage is cleared for the first time; saves `getAccount` a look-up. */
  #anyCleared = false;
  #version = 0;
  #applied: Applied | undefined;

  constructor(base: StateView) {
    this.base = base;
    this.#read = base instanceof Overlay ? undefined : new Reads();
  }

  /** Grows with each write; initially 0. */
  get version(): number {
    return this.#version;
  }

  /** The writes of the latest {@link apply}. */
  get applied(): Applied | undefined {
    return this.#applied;
  }

  getAccount(address: Address): Awaitable<AccountState | undefined> {
    return this.#accountAt(hexKey(address.bytes), address);
  }

  /** Takes the key as well, so that nested overlays compute it only once: computing it takes longer than the look-up. */
  #accountAt(key: string, address: Address): Awaitable<AccountState | undefined> {
    const written = this.#accounts.get(key);
    if (written !== undefined || this.#accounts.has(key)) return written;
    const account = this.#baseAccount(address, key);
    if (!this.#anyCleared || !this.#storage.get(key)?.cleared) return account;
    return account instanceof Promise ? account.then(withoutStorage) : withoutStorage(account);
  }

  /** The account's code: from this overlay if it was set here, otherwise from the base. */
  getCode(address: Address): Awaitable<Uint8Array> {
    const account = this.getAccount(address);
    if (account instanceof Promise) return account.then((known) => this.#codeOf(address, known));
    return this.#codeOf(address, account);
  }

  getStorage(address: Address, slot: Uint8Array): Awaitable<Uint8Array> {
    return this.#slotAt(hexKey(address.bytes), hexKey(slot), address, slot);
  }

  /** The slot's value as written in this overlay or one below; `undefined` if no overlay wrote it. */
  writtenSlot(address: Address, slot: Uint8Array): Uint8Array | undefined {
    const record = this.#storage.get(hexKey(address.bytes));
    const written = record?.slots.get(hexKey(slot)) ?? (record?.cleared ? EMPTY_BYTES : undefined);
    if (written !== undefined) return written;
    return this.base instanceof Overlay ? this.base.writtenSlot(address, slot) : undefined;
  }

  #slotAt(key: string, slotKey: string, address: Address, slot: Uint8Array): Awaitable<Uint8Array> {
    const record = this.#storage.get(key);
    if (record !== undefined) {
      const written = record.slots.get(slotKey);
      if (written !== undefined) return written;
      if (record.cleared) return EMPTY_BYTES;
    }
    const reads = this.#read;
    if (reads === undefined) return (this.base as Overlay).#slotAt(key, slotKey, address, slot);
    const slots = reads.slotsOf(key);
    const cached = slots.get(slotKey);
    if (cached !== undefined) return cached;
    const value = this.base.getStorage(address, slot);
    if (value instanceof Promise)
      return value.then((fetched) => {
        slots.set(slotKey, fetched);
        return fetched;
      });
    slots.set(slotKey, value);
    return value;
  }

  /**
   * Doesn't fetch the account for its storage root. If the base returns promises and the root matters, the caller must read
   * the account first.
   * @param account `undefined` deletes the account and its storage
   * @throws RangeError when the balance is negative or has more than 256 bits
   */
  setAccount(address: Address, account: AccountWrite | undefined): void {
    const key = hexKey(address.bytes);
    if (account === undefined) {
      this.#remove(key, address);
      return;
    }
    if (account.balance < 0n || account.balance > MAX_BALANCE)
      throw new RangeError(
        `the balance of ${key} would be ${account.balance} wei, which isn't within 256 bits`,
      );
    this.#put(this.#accounts, key, {
      nonce: account.nonce,
      balance: account.balance,
      codeHash: account.codeHash,
      storageRoot: this.#storage.get(key)?.cleared
        ? EMPTY_ROOT
        : (account.storageRoot ?? this.#knownRoot(address)),
    });
  }

  /** Sets code and code hash; creates a missing account. Returns a promise only when the base does. */
  setCode(address: Address, code: Uint8Array): Awaitable<void> {
    const account = this.getAccount(address);
    if (account instanceof Promise) return account.then((known) => this.#setCode(address, known, code));
    this.#setCode(address, account, code);
  }

  /**
   * The account must exist when the writes are folded; otherwise its slots are dropped.
   * @param slot 32 bytes
   * @param value leading zeros are stripped; empty or zero deletes
   */
  setStorage(address: Address, slot: Uint8Array, value: Uint8Array): void {
    const key = hexKey(address.bytes);
    let record = this.#storage.get(key);
    if (record === undefined) {
      record = { cleared: false, slots: new Map() };
      this.#put(this.#storage, key, record);
    }
    this.#put(record.slots, hexKey(slot), stripZeros(value));
  }

  /** Deletes all slots of the account. */
  clearStorage(address: Address): void {
    const key = hexKey(address.bytes);
    this.#clear(key);
    const written = this.#accounts.get(key);
    if (written !== undefined) this.#put(this.#accounts, key, withoutStorage(written));
  }

  /** Whether this overlay or one below wrote slots of the account. The account's `storageRoot` is then outdated. */
  wroteStorage(address: Address): boolean {
    if (this.#storage.size > 0 && this.#storage.has(hexKey(address.bytes))) return true;
    return this.base instanceof Overlay && this.base.wroteStorage(address);
  }

  checkpoint(): void {
    this.#marks.push(this.#journal.length);
  }

  /** Keeps the writes since the last checkpoint. */
  commit(): void {
    this.#popMark();
    if (this.#marks.length === 0) this.#journal.length = 0;
  }

  /** Undoes the writes since the last checkpoint. */
  revert(): void {
    const mark = this.#popMark();
    this.#version++;
    for (let i = this.#journal.length - 1; i >= mark; i--) {
      const { map, key, had, previous } = this.#journal[i]!;
      if (had) map.set(key, previous);
      else map.delete(key);
    }
    this.#journal.length = mark;
  }

  /** All writes that weren't reverted, as the overlay's own maps: call this after the last write. @throws Error in a checkpoint */
  writes(): StateWrites {
    if (this.#marks.length > 0) throw new Error(`${this.#marks.length} checkpoints are open`);
    return { accounts: this.#accounts, storage: this.#storage, code: this.#code };
  }

  /** Applies the writes of a child overlay. {@link revert} undoes them like any others. */
  apply(writes: StateWrites): void {
    const before = this.#version;
    for (const [hash, code] of writes.code) this.#put(this.#code, hash, code);
    for (const [key, account] of writes.accounts) {
      if (account === undefined) this.#remove(key, addressOfKey(key));
      else this.#put(this.#accounts, key, account);
    }
    for (const [key, { cleared, slots }] of writes.storage) {
      if (cleared) {
        this.#clear(key);
        const own = this.#accounts.get(key);
        if (own !== undefined && own.storageRoot !== EMPTY_ROOT)
          this.#put(this.#accounts, key, withoutStorage(own));
      }
      let record = this.#storage.get(key);
      if (record === undefined) {
        record = { cleared: false, slots: new Map() };
        this.#put(this.#storage, key, record);
      }
      for (const [slot, value] of slots) this.#put(record.slots, slot, value);
    }
    this.#applied = { writes, before, after: this.#version };
  }

  #put<V>(map: Map<string, V>, key: string, value: V): void {
    this.#version++;
    if (this.#marks.length > 0) {
      const previous = map.get(key);
      this.#journal.push({ map, key, had: previous !== undefined || map.has(key), previous });
    }
    map.set(key, value);
  }

  /**
   * Clears the account's storage only if there may be any. Otherwise, in the tries of a forked chain, an account that is created
   * afterwards would differ from one that never existed before.
   */
  #remove(key: string, address: Address): void {
    this.#put(this.#accounts, key, undefined);
    if (this.#isBelow(key, address) || this.wroteStorage(address)) this.#clear(key);
  }

  /** Whether the account may exist in the state below all overlays. */
  #isBelow(key: string, address: Address): boolean {
    return this.base instanceof Overlay
      ? this.base.#isBelow(key, address)
      : this.#baseAccount(address, key) !== undefined;
  }

  #clear(key: string): void {
    this.#anyCleared = true;
    this.#put(this.#storage, key, { cleared: true, slots: new Map() });
  }

  #popMark(): number {
    const mark = this.#marks.pop();
    if (mark === undefined) throw new Error('no checkpoint is open');
    return mark;
  }

  #baseAccount(address: Address, key: string): Awaitable<AccountState | undefined> {
    const reads = this.#read?.accounts;
    if (reads === undefined) return (this.base as Overlay).#accountAt(key, address);
    const cached = reads.get(key);
    if (cached !== undefined || reads.has(key)) return cached;
    const account = this.base.getAccount(address);
    if (account instanceof Promise)
      return account.then((fetched) => {
        reads.set(key, fetched);
        return fetched;
      });
    reads.set(key, account);
    return account;
  }

  #codeOf(address: Address, account: AccountState | undefined): Awaitable<Uint8Array> {
    if (account === undefined || !hasCode(account)) return EMPTY_BYTES;
    const key = hexKey(account.codeHash);
    const known = this.#code.get(key) ?? this.#read?.code.get(key);
    if (known !== undefined) return known;
    const code = this.base.getCode(address);
    if (this.#read && !(code instanceof Promise)) this.#read.code.set(key, code);
    return code;
  }

  #setCode(address: Address, account: AccountState | undefined, code: Uint8Array): void {
    const codeHash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code);
    if (code.length > 0) this.#put(this.#code, hexKey(codeHash), code);
    this.setAccount(address, { ...(account ?? NEW_ACCOUNT), codeHash });
  }

  #knownRoot(address: Address): Uint8Array {
    const account = this.getAccount(address);
    // Ignores the error: a caller that needs the account gets the same error from its own read.
    if (account instanceof Promise) account.catch(() => {});
    return account === undefined || account instanceof Promise ? EMPTY_ROOT : account.storageRoot;
  }
}

/** Cache of reads from the base, separate from the writes. */
class Reads {
  readonly accounts = new Map<string, AccountState | undefined>();
  /** by hash */
  readonly code = new Map<string, Uint8Array>();
  readonly #slots = new Map<string, Map<string, Uint8Array>>();

  slotsOf(key: string): Map<string, Uint8Array> {
    let slots = this.#slots.get(key);
    if (slots === undefined) {
      slots = new Map();
      this.#slots.set(key, slots);
    }
    return slots;
  }
}

function withoutStorage<A extends AccountState | undefined>(account: A): A {
  return account === undefined || account.storageRoot === EMPTY_ROOT
    ? account
    : { ...account, storageRoot: EMPTY_ROOT };
}
