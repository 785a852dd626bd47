/**
 * Byte arrays in an ArrayBuffer that they share: from 65 bytes on, an ArrayBuffer of its own costs ten times as much. Keeping
 * one of them keeps the whole buffer in memory, so they should be short-lived, or few, or kept in the order in which they came.
 */
export class Slab {
  readonly #size: number;
  #bytes = new Uint8Array(0);
  #taken = 0;

  /** @param size of the shared ArrayBuffer, in bytes. Arrays of more than an eighth of it get their own. */
  constructor(size: number) {
    this.#size = size;
  }

  /** A zeroed array. */
  take(length: number): Uint8Array {
    // V8 keeps up to 64 bytes in the object itself.
    if (length <= 64 || length > this.#size / 8) return new Uint8Array(length);
    if (this.#taken + length > this.#bytes.length) {
      this.#bytes = new Uint8Array(this.#size);
      this.#taken = 0;
    }
    this.#taken += length;
    return this.#bytes.subarray(this.#taken - length, this.#taken);
  }
}

/** For what is short-lived or few. */
export const pool = new Slab(8192);
