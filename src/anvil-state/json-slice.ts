import type { Pauses } from '../turns.ts';

const NULL = 0x6e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** A state file has ten. */
const MOST_MEMBERS = 1_000;
/** Bytes that are looked through between two looks at the clock. */
const STRIDE = 64 * 1024;

/**
 * A JSON value in a text of any size. It finds the value's parts without parsing them, so that they can be parsed one
 * by one. `JSON.parse` of a whole file needs ten times its size in memory, and fails above 512 MiB.
 */
export class JsonSlice {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;

  /** @param bytes UTF-8; must not be changed afterwards */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#start = start;
    this.#end = end;
  }

  get isNull(): boolean {
    return this.#bytes[this.#skipSpace(this.#start)] === NULL && this.parse() === null;
  }

  get isObject(): boolean {
    return this.#bytes[this.#skipSpace(this.#start)] === OPEN_OBJECT;
  }

  /** @throws SyntaxError when it isn't JSON */
  parse(): unknown {
    return JSON.parse(this.#bytes.toString('utf8', this.#start, this.#end));
  }

  /** Where the value ends that begins at a position. @throws SyntaxError where the text ends before */
  static endOfValue(bytes: Buffer, start: number): number {
    const ending = new JsonSlice(bytes).#endOfValue(start);
    let step = ending.next();
    while (!step.done) step = ending.next();
    return step.value;
  }

  /** The values of an object by name. @throws SyntaxError when it isn't one */
  *members(): Generator<readonly [name: string, value: JsonSlice]> {
    for (const member of this.#members()) if (member) yield member;
  }

  /**
   * The same for a text of any size, with few members: lets other work run meanwhile.
   * @throws SyntaxError, as a rejection, when it isn't an object, or has more than {@link MOST_MEMBERS}
   */
  async membersInTurns(pauses: Pauses): Promise<ReadonlyMap<string, JsonSlice>> {
    const members = new Map<string, JsonSlice>();
    for (const member of this.#members()) {
      if (member) members.set(...member);
      else if (pauses.due) await pauses.pause();
      if (members.size > MOST_MEMBERS) throw new SyntaxError(`more than ${MOST_MEMBERS} members`);
    }
    return members;
  }

  /** The values of a list. @throws SyntaxError when it isn't one */
  *items(): Generator<JsonSlice> {
    for (const part of this.#parts(OPEN_LIST, CLOSE_LIST))
      if (part) yield new JsonSlice(this.#bytes, part.start, part.end);
  }

  /** The text's bytes. */
  get bytes(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  *#members(): Generator<readonly [name: string, value: JsonSlice] | undefined> {
    for (const part of this.#parts(OPEN_OBJECT, CLOSE_OBJECT)) {
      if (!part) {
        yield undefined;
        continue;
      }
      const { start, from, end } = part;
      const name = new JsonSlice(this.#bytes, start, from).parse();
      if (typeof name !== 'string') throw new SyntaxError(`expected a name at byte ${start}`);
      const colon = this.#skipSpace(from);
      if (this.#bytes[colon] !== COLON) throw new SyntaxError(`expected : at byte ${colon}`);
      yield [name, new JsonSlice(this.#bytes, colon + 1, end)];
    }
  }

  /**
   * The parts between the commas. @returns positions: begin of a part, end of its first value, end of the part; `undefined` from
   * time to time within a long part
   */
  *#parts(open: number, close: number): Generator<{ start: number; from: number; end: number } | undefined> {
    const bytes = this.#bytes;
    let at = this.#skipSpace(this.#start);
    if (bytes[at] !== open) throw new SyntaxError(`expected ${String.fromCharCode(open)} at byte ${at}`);
    at = this.#skipSpace(at + 1);
    if (bytes[at] !== close)
      for (;;) {
        const start = this.#skipSpace(at);
        const from = yield* this.#endOfValue(start);
        let end = this.#skipSpace(from);
        if (open === OPEN_OBJECT) end = yield* this.#endOfValue(this.#skipSpace(end + 1));
        yield { start, from, end };
        at = this.#skipSpace(end);
        if (bytes[at] === close) break;
        if (bytes[at] !== COMMA) throw new SyntaxError(`expected , at byte ${at}`);
        at++;
      }
    at = this.#skipSpace(at + 1);
    if (at < this.#end) throw new SyntaxError(`expected the end at byte ${at}`);
  }

  #skipSpace(from: number): number {
    let at = from;
    while (at < this.#end && this.#bytes[at]! <= 0x20) at++;
    return at;
  }

  *#endOfValue(start: number): Generator<undefined, number> {
    const bytes = this.#bytes;
    let depth = 0;
    let isInString = false;
    let rest = start + STRIDE;
    for (let at = start; at < this.#end; at++) {
      if (at >= rest) {
        rest = at + STRIDE;
        yield undefined;
      }
      const byte = bytes[at];
      if (isInString) {
        if (byte === BACKSLASH) at++;
        else if (byte === QUOTE) {
          isInString = false;
          if (depth === 0) return at + 1;
        }
      } else if (byte === QUOTE) isInString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (--depth < 0) return at;
        if (depth === 0) return at + 1;
      } else if (depth === 0 && (byte === COMMA || byte === COLON || byte! <= 0x20)) return at;
    }
    throw new SyntaxError('unexpected end');
  }
}
