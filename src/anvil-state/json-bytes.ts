/** Writes JSON to byte arrays. Characters are ASCII. */
export class JsonBytes {
  readonly #size: number;
  #bytes: Buffer;
  #end = 0;

  /** @param size expected size of the pieces in bytes; a larger one makes the array grow */
  constructor(size: number) {
    this.#size = size;
    this.#bytes = Buffer.allocUnsafeSlow(2 * size);
  }

  /** Number of bytes since the last {@link take}. */
  get length(): number {
    return this.#end;
  }

  /** What was written since the last call. */
  take(): Uint8Array {
    const piece = this.#bytes.subarray(0, this.#end);
    this.#bytes = Buffer.allocUnsafeSlow(2 * this.#size);
    this.#end = 0;
    return piece;
  }

  text(ascii: string): void {
    this.#reserve(ascii.length);
    this.#end += this.#bytes.write(ascii, this.#end, 'latin1');
  }

  /** Two digits per byte. */
  hex(bytes: Uint8Array, from = 0): void {
    this.#reserve(2 * (bytes.length - from));
    const out = this.#bytes;
    let at = this.#end;
    for (let i = from; i < bytes.length; i++) {
      const byte = bytes[i]!;
      out[at++] = DIGITS[byte >> 4]!;
      out[at++] = DIGITS[byte & 15]!;
    }
    this.#end = at;
  }

  /** An integer without leading zeros, as hex without leading zeros; 0 if it is empty. */
  quantity(bytes: Uint8Array): void {
    const [first = 0] = bytes;
    const startsWithTwo = first > 15;
    if (!startsWithTwo) {
      this.#reserve(1);
      this.#bytes[this.#end++] = DIGITS[first]!;
    }
    this.hex(bytes, startsWithTwo ? 0 : 1);
  }

  /** At most 32 bytes, as 64 digits. */
  word(bytes: Uint8Array): void {
    const zeros = 2 * (32 - bytes.length);
    this.#reserve(zeros);
    this.#bytes.fill(DIGITS[0]!, this.#end, this.#end + zeros);
    this.#end += zeros;
    this.hex(bytes);
  }

  #reserve(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(2 * (this.#end + count));
    grown.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = grown;
  }
}

const DIGITS = Buffer.from('0123456789abcdef');
