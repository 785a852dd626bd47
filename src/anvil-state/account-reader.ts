import { PACKED_ADDRESS, PACKED_BALANCE, PACKED_HEAD, PACKED_NONCE } from '../core/state/packed.ts';
import { JsonSlice } from '../json-slice.ts';
import type { PackedAccounts } from '../state/packed-accounts.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const ZERO = 0x30;
const X = 0x78;

/** Digits of a JSON number that is one without a fraction, and below 2^53. */
const MAX_DIGITS = 15;
/** Slots that are read in one step. */
const STRIDE = 256;
/** The value of a hex digit by its character; 16 for any other byte. */
const DIGITS = new Uint8Array(256).fill(16);
for (let i = 0; i < 16; i++) {
  DIGITS[i.toString(16).charCodeAt(0)] = i;
  DIGITS[i.toString(16).toUpperCase().charCodeAt(0)] = i;
}

/** Reads an account of which something stands there that {@link AccountReader} doesn't read, or refuses it. */
type TakeParsed = (name: string, account: unknown) => void;

/**
 * Reads accounts in the form in which anvil writes them, byte by byte and into packed records, without an object for any of
 * them. An account that is written in another way is parsed as JSON.
 */
export class AccountReader {
  readonly #bytes: Buffer;
  readonly #packed: PackedAccounts;
  readonly #takeParsed: TakeParsed;
  #at = 0;

  constructor(text: JsonSlice, packed: PackedAccounts, takeParsed: TakeParsed) {
    this.#bytes = text.bytes;
    this.#packed = packed;
    this.#takeParsed = takeParsed;
  }

  /** Reads them in steps. @throws SyntaxError; what the other reader throws */
  *read(): Generator<void> {
    this.#expect(OPEN);
    if (!this.#skip(CLOSE))
      for (;;) {
        yield* this.#readMember();
        yield;
        if (this.#skip(CLOSE)) break;
        this.#expect(COMMA);
      }
    if (this.#next() !== undefined) throw new SyntaxError(`expected the end at byte ${this.#at}`);
  }

  *#readMember(): Generator<void> {
    const from = this.#at;
    const { size } = this.#packed;
    if (yield* this.#readAccount()) return;
    this.#packed.truncate(size);
    this.#at = from;
    const name = this.#parseNext();
    if (typeof name !== 'string') throw new SyntaxError(`expected a name at byte ${from}`);
    this.#expect(COLON);
    this.#takeParsed(name, this.#parseNext());
  }

  /** @returns false for one that is written in another way */
  *#readAccount(): Generator<void, boolean> {
    const start = this.#packed.begin();
    if (!this.#skip(QUOTE)) return false;
    const end = this.#hexEnd();
    if (end !== this.#at + 40) return false;
    this.#copyHex(end, start + PACKED_ADDRESS);
    this.#at = end + 1;
    if (!this.#skip(COLON) || !this.#skip(OPEN)) return false;
    if (this.#skip(CLOSE)) return true;
    let hasSlots = false;
    for (;;) {
      if (!this.#skip(QUOTE)) return false;
      // The names of the fields begin with different letters.
      if (this.#skipName('nonce')) {
        if (!this.#readNonce(start + PACKED_NONCE)) return false;
      } else if (this.#skipName('balance')) {
        if (!this.#readWord(start + PACKED_BALANCE)) return false;
      } else if (this.#skipName('code')) {
        // It stands before the slots.
        if (hasSlots || !this.#readCode(start + PACKED_HEAD)) return false;
      } else if (this.#skipName('storage')) {
        hasSlots = true;
        if (!(yield* this.#readStorage())) return false;
      } else return false;
      if (this.#skip(CLOSE)) return true;
      if (!this.#skip(COMMA)) return false;
    }
  }

  *#readStorage(): Generator<void, boolean> {
    if (!this.#skip(OPEN)) return false;
    if (this.#skip(CLOSE)) return true;
    for (let count = 1; ; count++) {
      const to = this.#packed.addSlot();
      if (!this.#readWord(to) || !this.#skip(COLON) || !this.#readWord(to + 32)) return false;
      if (this.#skip(CLOSE)) return true;
      if (!this.#skip(COMMA)) return false;
      if (count % STRIDE === 0) yield;
    }
  }

  /** A number, or a quantity of at most 64 bits. */
  #readNonce(to: number): boolean {
    if (this.#next() === QUOTE) return this.#readHex(to, 16);
    const bytes = this.#bytes;
    const from = this.#at;
    let value = 0;
    for (; this.#at < bytes.length; this.#at++) {
      const digit = bytes[this.#at]! - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    const digits = this.#at - from;
    if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && bytes[from] === ZERO)) return false;
    this.#packed.view.setUint32(to, value % 2 ** 32, true);
    this.#packed.view.setUint32(to + 4, Math.floor(value / 2 ** 32), true);
    const next = this.#next();
    return next === COMMA || next === CLOSE;
  }

  /** A quantity of at most 256 bits. */
  #readWord(to: number): boolean {
    return this.#readHex(to, 64);
  }

  /** Reads hex digits into bytes, the last two into the first. */
  #readHex(to: number, most: number): boolean {
    if (!this.#skip(QUOTE)) return false;
    const end = this.#hexEnd();
    const bytes = this.#bytes;
    const from = this.#at;
    if (end - from < 1 || end - from > most) return false;
    const out = this.#packed.bytes;
    out.fill(0, to, to + most / 2);
    let i = to;
    let digit = end - 1;
    for (; digit > from; digit -= 2) out[i++] = DIGITS[bytes[digit]!]! | (DIGITS[bytes[digit - 1]!]! << 4);
    if (digit === from) out[i] = DIGITS[bytes[digit]!]!;
    this.#at = end + 1;
    return true;
  }

  #readCode(to: number): boolean {
    if (!this.#skip(QUOTE)) return false;
    const end = this.#hexEnd();
    const length = (end - this.#at) / 2;
    if (!Number.isInteger(length) || length < 0) return false;
    if (length > 0) {
      if (this.#packed.addCode(length) !== to) return false;
      this.#copyHex(end, to);
    }
    this.#at = end + 1;
    return true;
  }

  /**
   * Moves behind the 0x of a text.
   * @returns where its digits end, at the closing quote; before its beginning where it isn't hex
   */
  #hexEnd(): number {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== ZERO || bytes[this.#at + 1] !== X) return -1;
    this.#at += 2;
    let end = this.#at;
    while (DIGITS[bytes[end]!]! < 16) end++;
    return bytes[end] === QUOTE ? end : -1;
  }

  /** Writes an even number of hex digits up to a position as bytes. */
  #copyHex(end: number, to: number): void {
    const bytes = this.#bytes;
    const out = this.#packed.bytes;
    for (let i = this.#at, at = to; i < end; i += 2)
      out[at++] = (DIGITS[bytes[i]!]! << 4) | DIGITS[bytes[i + 1]!]!;
  }

  /** Moves behind a member's name and its colon, if that is the name. */
  #skipName(name: string): boolean {
    const bytes = this.#bytes;
    for (let i = 0; i < name.length; i++) if (bytes[this.#at + i] !== name.charCodeAt(i)) return false;
    if (bytes[this.#at + name.length] !== QUOTE) return false;
    this.#at += name.length + 1;
    return this.#skip(COLON);
  }

  /** The next byte that isn't blank. */
  #next(): number | undefined {
    const bytes = this.#bytes;
    while (bytes[this.#at]! <= 0x20) this.#at++;
    return bytes[this.#at];
  }

  #skip(byte: number): boolean {
    if (this.#next() !== byte) return false;
    this.#at++;
    return true;
  }

  #expect(byte: number): void {
    if (!this.#skip(byte)) throw new SyntaxError(`expected ${String.fromCharCode(byte)} at byte ${this.#at}`);
  }

  #parseNext(): unknown {
    this.#next();
    const value = new JsonSlice(this.#bytes, this.#at);
    this.#at = value.end;
    return value.parse();
  }
}
