/**
 * Allocates byte arrays in a shared ArrayBuffer: from 65 bytes on, an own ArrayBuffer for each takes ten times as long. A single
 * array keeps the whole buffer in memory, so the arrays should be short-lived, or few, or be freed in the order of allocation.
 */
export class Slab {
  readonly #size: number;
  #bytes = new Uint8Array(0);
  #taken = 0;

  /** @param size size of the shared ArrayBuffer, in bytes. Arrays of more than an eighth of it get their own buffer. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Allocates a zeroed array. */
  take(length: number): Uint8Array {
    // V8 stores up to 64 bytes in the array object itself.
    if (length <= 64 || length > this.#size / 8) return new Uint8Array(length);
    if (this.#taken + length > this.#bytes.length) {
      this.#bytes = new Uint8Array(this.#size);
      this.#taken = 0;
    }
    this.#taken += length;
    return this.#bytes.subarray(this.#taken - length, this.#taken);
  }
}

/** Shared slab for arrays that are short-lived or few. */
export const pool = new Slab(8192);
