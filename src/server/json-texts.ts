const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Splits a byte stream into JSON texts, which may follow one another with or without white space. A text that begins with neither a brace
 * nor a bracket ends at the end of its line; it isn't a request, and is rejected when it is parsed.
 */
export class JsonTexts {
  #held: Buffer = Buffer.alloc(0);
  /** position in {@link JsonTexts.#held} up to which it was scanned */
  #at = 0;
  #depth = 0;
  #inString = false;

  /** length of the incomplete text at the end, bytes */
  get waiting(): number {
    return this.#held.length;
  }

  /** Adds received bytes. @returns the texts that are complete now */
  add(bytes: Buffer): Buffer[] {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const texts: Buffer[] = [];
    let from = 0;
    for (; this.#at < this.#held.length; this.#at++) {
      const byte = this.#held[this.#at]!;
      if (this.#inString) {
        // Skip the escaped character, which may be a quote, even if it arrives only with the next bytes.
        if (byte === BACKSLASH) this.#at++;
        else if (byte === QUOTE) this.#inString = false;
      } else if (this.#depth === 0 && this.#at === from && BLANK.has(byte)) from++;
      else if (byte === QUOTE && this.#depth > 0) this.#inString = true;
      else if (OPEN.has(byte)) this.#depth++;
      else if (CLOSE.has(byte)) this.#depth--;
      const ended = this.#depth <= 0 && this.#at >= from && (CLOSE.has(byte) || byte === 0x0a);
      if (this.#inString || !ended) continue;
      texts.push(this.#held.subarray(from, this.#at + 1));
      from = this.#at + 1;
      this.#depth = 0;
    }
    this.#held = this.#held.subarray(from);
    this.#at -= from;
    return texts;
  }
}
