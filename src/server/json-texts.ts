const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Cuts bytes into JSON texts that follow one another with or without space between, as clients write them into a socket. What
 * begins with neither a brace nor a bracket ends at the line's end: it isn't a request, which its reader will find.
 */
export class JsonTexts {
  #held: Buffer = Buffer.alloc(0);
  /** how far {@link JsonTexts.#held} was looked through */
  #at = 0;
  #depth = 0;
  #inString = false;

  /** bytes of a text whose end is still to come */
  get waiting(): number {
    return this.#held.length;
  }

  /** @returns the texts that are complete by now */
  add(bytes: Buffer): Buffer[] {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const texts: Buffer[] = [];
    let from = 0;
    for (; this.#at < this.#held.length; this.#at++) {
      const byte = this.#held[this.#at]!;
      if (this.#inString) {
        // What is escaped, a quote above all, is passed over: at the end of the bytes it is looked at next time.
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
