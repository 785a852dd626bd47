import type { Pauses } from './turns.ts';

const NULL = 0x6e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
/** The bit in which the brackets of lists and objects differ: without it, one comparison finds both. */
const IS_OBJECT = OPEN_OBJECT ^ OPEN_LIST;

/** Maximum number of members that {@link JsonSlice.membersInTurns} accepts; a state file has ten. */
const MAX_MEMBERS = 1_000;
/** Number of bytes that are scanned between two checks of the clock. */
const STRIDE = 64 * 1024;
/** After this many bytes of a string, its end is searched with `indexOf`, which is faster for long strings but has a higher fixed cost. */
const LONG_STRING = 64;

/**
 * A JSON value within a text of any size. Finds the members or items of the value without parsing them, so that each can be parsed
 * separately. `JSON.parse` of a whole file needs ten times its size in memory, and fails above 512 MiB. A caller that reads the members
 * of each member before it asks for the next one scans the text only once.
 */
export class JsonSlice {
  readonly #bytes: Buffer;
  readonly #start: number;
  /** where the value ends; `undefined` until it was searched */
  #end: number | undefined;

  /**
   * @param bytes UTF-8; must not be changed afterwards
   * @param start where the value begins; it may end before the text does. Absent: the value is the whole text
   */
  constructor(bytes: Uint8Array, start?: number) {
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#start = start ?? 0;
    if (start === undefined) this.#end = bytes.length;
  }

  /** Position of the first byte after the value. @throws SyntaxError if the text ends within the value */
  get end(): number {
    for (const _ of this.#findEnd());
    return this.#end!;
  }

  get isNull(): boolean {
    return this.#bytes[this.#skipSpace(this.#start)] === NULL && this.parse() === null;
  }

  get isObject(): boolean {
    return this.#bytes[this.#skipSpace(this.#start)] === OPEN_OBJECT;
  }

  /** Length of the value's text, in bytes. */
  get length(): number {
    return this.end - this.#start;
  }

  /** The bytes of the value's text. */
  get bytes(): Buffer {
    return this.#bytes.subarray(this.#start, this.end);
  }

  /** @throws SyntaxError when it isn't JSON */
  parse(): unknown {
    return JSON.parse(this.#bytes.toString('utf8', this.#start, this.end));
  }

  /** The values of an object by name. @throws SyntaxError when it isn't one */
  members(): Generator<readonly [name: string, value: JsonSlice]> {
    return this.#parts(OPEN_OBJECT, CLOSE_OBJECT);
  }

  /**
   * Returns the values of an object with few members and any size. Lets other work run in between.
   * @throws SyntaxError, as a rejection, if the value isn't an object or has more than {@link MAX_MEMBERS}
   */
  async membersInTurns(pauses: Pauses): Promise<ReadonlyMap<string, JsonSlice>> {
    const members = new Map<string, JsonSlice>();
    for (const [name, value] of this.members()) {
      members.set(name, value);
      for (const _ of value.#findEnd()) if (pauses.due) await pauses.pause();
      if (members.size > MAX_MEMBERS) throw new SyntaxError(`more than ${MAX_MEMBERS} members`);
    }
    return members;
  }

  /** The values of a list. @throws SyntaxError when it isn't one */
  *items(): Generator<JsonSlice> {
    for (const [, value] of this.#parts(OPEN_LIST, CLOSE_LIST)) yield value;
  }

  /** The values of an object with their names, or those of a list. */
  *#parts(open: number, close: number): Generator<readonly [name: string, value: JsonSlice]> {
    const bytes = this.#bytes;
    let at = this.#skipSpace(this.#start);
    if (bytes[at] !== open) throw new SyntaxError(`expected ${String.fromCharCode(open)} at byte ${at}`);
    at = this.#skipSpace(at + 1);
    if (bytes[at] !== close)
      for (;;) {
        let name = '';
        if (open === OPEN_OBJECT) [name, at] = this.#nameAt(at);
        const value = new JsonSlice(bytes, at);
        yield [name, value];
        at = this.#skipSpace(value.end);
        if (bytes[at] === close) break;
        if (bytes[at] !== COMMA) throw new SyntaxError(`expected , at byte ${at}`);
        at = this.#skipSpace(at + 1);
      }
    if (this.#end === undefined) this.#end = at + 1;
    else if (this.#skipSpace(at + 1) < this.#end) throw new SyntaxError(`expected the end at byte ${at + 1}`);
  }

  /** Reads the name of a member. @returns the name, and the position of the member's value */
  #nameAt(start: number): [name: string, value: number] {
    const text = new JsonSlice(this.#bytes, start);
    const name = text.parse();
    if (typeof name !== 'string') throw new SyntaxError(`expected a name at byte ${start}`);
    const colon = this.#skipSpace(text.end);
    if (this.#bytes[colon] !== COLON) throw new SyntaxError(`expected : at byte ${colon}`);
    return [name, this.#skipSpace(colon + 1)];
  }

  #skipSpace(from: number): number {
    const end = this.#end ?? this.#bytes.length;
    let at = from;
    while (at < end && this.#bytes[at]! <= 0x20) at++;
    return at;
  }

  /** Searches the end of the value. Yields after each {@link STRIDE} bytes. */
  *#findEnd(): Generator<undefined> {
    if (this.#end !== undefined) return;
    const bytes = this.#bytes;
    let end = -1;
    let depth = 0;
    let rest = this.#start + STRIDE;
    for (let at = this.#start; end < 0; at++) {
      if (at >= bytes.length) throw new SyntaxError('unexpected end');
      if (at >= rest) {
        rest = at + STRIDE;
        yield undefined;
      }
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        at = endOfString(bytes, at);
        if (depth === 0) end = at + 1;
      } else if ((byte | IS_OBJECT) === OPEN_OBJECT) depth++;
      else if ((byte | IS_OBJECT) === CLOSE_OBJECT) {
        depth--;
        if (depth <= 0) end = depth < 0 ? at : at + 1;
      } else if (depth === 0 && (byte === COMMA || byte === COLON || byte <= 0x20)) end = at;
    }
    if (end > bytes.length) throw new SyntaxError('unexpected end');
    this.#end = end;
  }
}

/** @param start position of a string @returns position of its closing quote, or of the end of the text */
function endOfString(bytes: Buffer, start: number): number {
  const long = Math.min(start + LONG_STRING, bytes.length);
  let at = start + 1;
  for (; at < long; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at++;
  }
  let quote = bytes.indexOf(QUOTE, at);
  while (quote >= 0 && isEscaped(bytes, quote)) quote = bytes.indexOf(QUOTE, quote + 1);
  return quote < 0 ? bytes.length : quote;
}

/** Whether a quote is escaped, so that it doesn't end the string: an odd number of backslashes precedes it. */
function isEscaped(bytes: Buffer, quote: number): boolean {
  let at = quote - 1;
  while (bytes[at] === BACKSLASH) at--;
  return (quote - at) % 2 === 0;
}
