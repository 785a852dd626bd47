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

/** Maximum number of slots per record: an account with more slots gets several records. */
const MAX_SLOTS = 256;
/** Initial size of the array, in bytes. */
const FIRST = 1 << 16;

/** An account of which all fields are written; slots that aren't listed stay unchanged. */
export interface WholeAccount {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  readonly code: Uint8Array;
  /** 32 bytes each; a value of zero deletes */
  readonly storage: readonly (readonly [slot: Uint8Array, value: Uint8Array])[];
}

/**
 * Accounts to be written, as consecutive records in one array: with 100,000 objects instead, garbage collection takes as long as
 * all other work. `src/core/state/packed.ts` defines the record layout.
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

  /** All records, followed by free space. Adding data may replace the array. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** a view on {@link bytes} */
  get view(): DataView {
    return this.#view;
  }

  /** Offset of a record, in bytes. */
  startOf(record: number): number {
    return this.#starts[record]!;
  }

  endOf(record: number): number {
    return this.#starts[record + 1] ?? this.#end;
  }

  slotsOf(record: number): number {
    return this.#view.getUint32(this.startOf(record) + PACKED_SLOTS, true);
  }

  /** Whether the record only contains further slots of the previous record's account. */
  isContinued(record: number): boolean {
    return this.#view.getUint32(this.startOf(record) + PACKED_CONTINUES, true) !== 0;
  }

  /** Offset of the 20 bytes of a record's address. */
  startOfAddress(record: number): number {
    return this.startOf(record) + PACKED_ADDRESS;
  }

  addressOf(record: number): Uint8Array {
    const from = this.startOfAddress(record);
    return this.#bytes.subarray(from, from + 20);
  }

  /** Decodes a record. */
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

  /** Copies the given records into one array. */
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

  /** Begins a record of an empty account. @returns its offset */
  begin(): number {
    const start = this.#end;
    this.#take(PACKED_HEAD);
    this.#starts.push(start);
    this.#view.setUint32(start + PACKED_SIZE, PACKED_HEAD, true);
    return start;
  }

  /** Allocates space for the code of the last account, which must have neither code nor slots yet. @returns the code's offset */
  addCode(length: number): number {
    const start = this.#starts.at(-1)!;
    this.#view.setUint32(start + PACKED_CODE_LENGTH, length, true);
    return this.#extend(start, length);
  }

  /** Allocates space for one more slot of the last account. @returns the offset of its key, after which its value follows */
  addSlot(): number {
    let start = this.#starts.at(-1)!;
    if (this.#view.getUint32(start + PACKED_SLOTS, true) === MAX_SLOTS) {
      const address = start + PACKED_ADDRESS;
      start = this.begin();
      this.#bytes.copyWithin(start + PACKED_ADDRESS, address, address + 20);
      this.#view.setUint32(start + PACKED_CONTINUES, 1, true);
    }
    this.#view.setUint32(start + PACKED_SLOTS, this.#view.getUint32(start + PACKED_SLOTS, true) + 1, true);
    return this.#extend(start, PACKED_SLOT);
  }

  /** Removes the given record and all later ones. */
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

  /** Extends the last record. @returns the offset of the added bytes */
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
