import type { Address } from '@ethereumjs/util';
import {
  PACKED_ADDRESS,
  PACKED_BALANCE,
  PACKED_CODE_LENGTH,
  PACKED_CONTINUES,
  PACKED_HEAD,
  PACKED_NONCE,
  PACKED_SIZE,
  PACKED_SLOT,
  PACKED_SLOTS,
} from '../core/state/packed.ts';

/** Slots of a record: a storage that has more is divided. */
const MOST_SLOTS = 256;
/** Bytes that are made for the first records. */
const FIRST = 1 << 16;

/** An account that is written as a whole, but for slots that aren't named. */
export interface WholeAccount {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  readonly code: Uint8Array;
  /** 32 bytes each; a value of zero deletes */
  readonly storage: readonly (readonly [slot: Uint8Array, value: Uint8Array])[];
}

/**
 * Accounts that are to be written, one behind the other in one array: with an object for each of 100,000 accounts,
 * JavaScript's garbage collector takes as long as all else. Records are laid out as src/core/state/packed.ts says.
 */
export class PackedAccounts {
  #bytes = new Uint8Array(FIRST);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;
  readonly #starts: number[] = [];

  /** number of records */
  get size(): number {
    return this.#starts.length;
  }

  /** All records, and room behind them: another array after each call that adds something. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** of {@link bytes} */
  get view(): DataView {
    return this.#view;
  }

  /** Where a record begins. */
  startOf(record: number): number {
    return this.#starts[record]!;
  }

  endOf(record: number): number {
    return this.#starts[record + 1] ?? this.#end;
  }

  slotsOf(record: number): number {
    return this.#view.getUint32(this.startOf(record) + PACKED_SLOTS, true);
  }

  /** Whether it has only more slots of the account of the record before it. */
  isContinued(record: number): boolean {
    return this.#view.getUint32(this.startOf(record) + PACKED_CONTINUES, true) !== 0;
  }

  /** Where the 20 bytes of an account's address begin. */
  startOfAddress(record: number): number {
    return this.startOf(record) + PACKED_ADDRESS;
  }

  addressOf(record: number): Uint8Array {
    const from = this.startOfAddress(record);
    return this.#bytes.subarray(from, from + 20);
  }

  /** An account as it stands in a record. */
  accountOf(record: number): WholeAccount {
    const start = this.startOf(record);
    const view = this.#view;
    const word = (from: number) => this.#bytes.slice(from, from + 32).reverse();
    const codeFrom = start + PACKED_HEAD;
    const slotsFrom = codeFrom + view.getUint32(start + PACKED_CODE_LENGTH, true);
    let balance = 0n;
    for (let i = 24; i >= 0; i -= 8)
      balance = (balance << 64n) | view.getBigUint64(start + PACKED_BALANCE + i, true);
    return {
      nonce: view.getBigUint64(start + PACKED_NONCE, true),
      balance,
      code: this.#bytes.slice(codeFrom, slotsFrom),
      storage: Array.from({ length: this.slotsOf(record) }, (_, i) => {
        const from = slotsFrom + i * PACKED_SLOT;
        return [word(from), word(from + 32)] as const;
      }),
    };
  }

  /** A copy of some records, one behind the other. */
  copyOf(records: Uint32Array): Uint8Array {
    let size = 0;
    for (const record of records) size += this.endOf(record) - this.startOf(record);
    const copy = new Uint8Array(size);
    let to = 0;
    for (const record of records) {
      const bytes = this.#bytes.subarray(this.startOf(record), this.endOf(record));
      copy.set(bytes, to);
      to += bytes.length;
    }
    return copy;
  }

  /** Begins a record of an account without anything. @returns where it begins */
  begin(): number {
    const start = this.#end;
    this.#take(PACKED_HEAD);
    this.#starts.push(start);
    this.#view.setUint32(start + PACKED_SIZE, PACKED_HEAD, true);
    return start;
  }

  /** Makes room for the code of the account that was begun last, which has neither code nor slots yet. @returns where it goes */
  addCode(length: number): number {
    const start = this.#starts.at(-1)!;
    this.#view.setUint32(start + PACKED_CODE_LENGTH, length, true);
    return this.#extend(start, length);
  }

  /** Makes room for one more slot of the account that was begun last. @returns where its key goes, and its value behind that */
  addSlot(): number {
    let start = this.#starts.at(-1)!;
    if (this.#view.getUint32(start + PACKED_SLOTS, true) === MOST_SLOTS) {
      const address = start + PACKED_ADDRESS;
      start = this.begin();
      this.#bytes.copyWithin(start + PACKED_ADDRESS, address, address + 20);
      this.#view.setUint32(start + PACKED_CONTINUES, 1, true);
    }
    this.#view.setUint32(start + PACKED_SLOTS, this.#view.getUint32(start + PACKED_SLOTS, true) + 1, true);
    return this.#extend(start, PACKED_SLOT);
  }

  /** Removes the records from one on. */
  truncate(record: number): void {
    const start = this.#starts[record];
    if (start === undefined) return;
    this.#bytes.fill(0, start, this.#end);
    this.#end = start;
    this.#starts.length = record;
  }

  add(address: Address, { nonce, balance, code, storage }: WholeAccount): void {
    const start = this.begin();
    this.#bytes.set(address.bytes, start + PACKED_ADDRESS);
    this.#view.setBigUint64(start + PACKED_NONCE, nonce, true);
    for (let i = 0, rest = balance; rest > 0n; i += 8, rest >>= 64n)
      this.#view.setBigUint64(start + PACKED_BALANCE + i, BigInt.asUintN(64, rest), true);
    if (code.length > 0) {
      const from = this.addCode(code.length);
      this.#bytes.set(code, from);
    }
    for (const [slot, value] of storage) {
      const from = this.addSlot();
      for (let i = 0; i < 32; i++) {
        this.#bytes[from + i] = slot[31 - i]!;
        this.#bytes[from + 32 + i] = value[31 - i]!;
      }
    }
  }

  /** Makes a record longer that is the last one. @returns where that begins */
  #extend(start: number, bytes: number): number {
    const from = this.#take(bytes);
    this.#view.setUint32(start + PACKED_SIZE, this.#end - start, true);
    return from;
  }

  #take(bytes: number): number {
    const from = this.#end;
    this.#end += bytes;
    if (this.#end > this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#end);
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return from;
  }
}
