import { DevnetError } from '../errors.ts';
import type { Awaitable } from '../state/view.ts';
import { inTurns, type Pauses, turns } from '../turns.ts';

/** Maximum nesting of objects and lists. geth allows 10,000 levels, anvil 128. */
export const MAX_LEVELS = 1_000;
/** Maximum number of members of one object: V8 can list the members of a larger one only in a single step, which blocks everything else. */
export const MAX_MEMBERS = 200_000;

/** Bytes that are parsed at a time, which takes about a millisecond. */
const PIECE = 64 * 1024;
/** The clock is read once per this many bytes. */
const STRIDE = 16 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

type Members = Record<string, unknown>;

/**
 * Takes some of the members of a large object or list, which are then not kept. A small object or list is never divided: it is passed with
 * a part of its container.
 * @param path names of the objects that contain the members; a list's items have an empty name
 * @param part an object with some members, or a list of some items
 * @returns false if the members are to be kept
 */
export type TakePart = (path: readonly string[], part: Members | readonly unknown[]) => boolean;

export interface ParseOptions {
  /** can end the parsing; default: background work without a caller */
  readonly pauses?: Pauses | undefined;
  readonly take?: TakePart;
  /** maximum number of members of one object, if it is too large to be parsed at once; default: no limit */
  readonly mostMembers?: number;
}

/** An object or list whose end hasn't been reached. */
interface Frame {
  isList: boolean;
  /** position of its opening bracket */
  start: number;
  /** position from which its members aren't parsed yet */
  from: number;
  /** position after its last comma, or after its bracket */
  comma: number;
  /** what has been parsed so far, if it is too large to be parsed at once */
  value: Members | unknown[] | undefined;
  size: number;
  /** its name in its containing object */
  name: string;
  /** whether the last value before this position was a divided one, without a comma after it */
  isAfterLarge: boolean;
}

/**
 * Parses JSON in pieces, between which other work can run: `JSON.parse` of 10 MB takes up to a second. It finds the brackets and commas in
 * one pass, and passes the text between them to `JSON.parse`, many values at a time.
 */
class PiecewiseParser {
  readonly #bytes: Buffer;
  readonly #take: TakePart | undefined;
  readonly #mostMembers: number;
  readonly #frames: Frame[] = [];
  /** number of objects and lists whose end hasn't been reached */
  #depth = 0;
  /** how many of these, from the outermost, are divided */
  #divided = 0;
  #at = 0;
  #isInString = false;
  #result: { readonly value: unknown } | undefined;

  constructor(bytes: Buffer, { take, mostMembers = Number.POSITIVE_INFINITY }: ParseOptions) {
    this.#bytes = bytes;
    this.#take = take;
    this.#mostMembers = mostMembers;
  }

  /** @returns whether there is more to do @throws SyntaxError; DevnetError if a limit is exceeded */
  readonly step = (): boolean => {
    const bytes = this.#bytes;
    const until = Math.min(this.#at + STRIDE, bytes.length);
    while (this.#at < until) {
      const byte = bytes[this.#at++]!;
      if (this.#isInString) {
        if (byte === QUOTE) this.#isInString = false;
        else if (byte === BACKSLASH) this.#at++;
      } else if (byte === QUOTE) this.#isInString = true;
      else if (byte === COMMA) this.#separate(this.#at - 1);
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open(this.#at - 1);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#close(this.#at - 1);
    }
    if (this.#at < bytes.length) return true;
    if (this.#depth > 0 || this.#isInString) throw new SyntaxError('unexpected end');
    this.#result ??= { value: this.#parse(0, bytes.length) };
    return false;
  };

  get value(): unknown {
    return this.#result?.value;
  }

  #open(at: number): void {
    if (this.#result) throw new SyntaxError(`expected the end at byte ${at}`);
    if (this.#depth >= MAX_LEVELS)
      throw new DevnetError('invalidRequest', {
        reason: `more than ${MAX_LEVELS} objects and lists within one another`,
      });
    this.#frames[this.#depth] ??= {
      isList: false,
      start: 0,
      from: 0,
      comma: 0,
      value: undefined,
      size: 0,
      name: '',
      isAfterLarge: false,
    };
    const frame = this.#frames[this.#depth++]!;
    frame.isList = this.#bytes[at] === OPEN_LIST;
    frame.start = at;
    frame.from = at + 1;
    frame.comma = at + 1;
    frame.value = undefined;
    frame.size = 0;
    frame.isAfterLarge = false;
  }

  #separate(at: number): void {
    const frame = this.#frames[this.#depth - 1];
    if (!frame) throw new SyntaxError(`expected the end at byte ${at}`);
    frame.comma = at + 1;
    if (frame.isAfterLarge) {
      this.#expectBlank(frame.from, at);
      frame.isAfterLarge = false;
    } else if (at - frame.from >= PIECE) {
      this.#divide();
      this.#addMembers(frame, at);
    } else return;
    frame.from = at + 1;
  }

  #close(at: number): void {
    const frame = this.#frames[this.#depth - 1];
    if (!frame || frame.isList !== (this.#bytes[at] === CLOSE_LIST))
      throw new SyntaxError(`unexpected bracket at byte ${at}`);
    if (frame.value) {
      if (frame.isAfterLarge) this.#expectBlank(frame.from, at);
      else this.#addMembers(frame, at);
    }
    this.#depth--;
    if (!frame.value) return;
    const { value, name } = frame;
    frame.value = undefined;
    this.#divided--;
    const outer = this.#frames[this.#depth - 1];
    if (!outer) {
      this.#expectBlank(0, frame.start);
      this.#expectBlank(at + 1, this.#bytes.length);
      this.#at = this.#bytes.length;
      this.#result = { value };
      return;
    }
    outer.from = at + 1;
    outer.isAfterLarge = true;
    this.#add(outer, this.#depth, outer.isList ? [value] : named(name, value));
  }

  /** Divides all open objects and lists that aren't divided yet, and parses what precedes the current position in them. */
  #divide(): void {
    for (let depth = this.#divided; depth < this.#depth; depth++) {
      const frame = this.#frames[depth]!;
      const outer = this.#frames[depth - 1];
      if (outer) {
        if (outer.isAfterLarge) throw new SyntaxError(`expected a comma before byte ${frame.start}`);
        if (outer.comma > outer.from) this.#addMembers(outer, outer.comma - 1, depth);
        frame.name = outer.isList ? '' : this.#name(outer.comma, frame.start);
        if (outer.isList) this.#expectBlank(outer.comma, frame.start);
      }
      frame.value = frame.isList ? [] : {};
      this.#divided = depth + 1;
    }
  }

  /** Parses the members up to a position, and adds them. @param depth number of objects and lists that contain the members */
  #addMembers(frame: Frame, to: number, depth = this.#depth): void {
    const text = this.#bytes.toString('utf8', frame.from, to);
    const part = JSON.parse(frame.isList ? `[${text}]` : `{${text}}`) as Members | unknown[];
    if (isEmpty(part)) throw new SyntaxError(`expected a value at byte ${to}`);
    this.#add(frame, depth, part);
  }

  #add(frame: Frame, depth: number, part: Members | unknown[]): void {
    if (this.#take?.(this.#pathTo(depth), part)) return;
    if (Array.isArray(part)) {
      for (const item of part) (frame.value as unknown[]).push(item);
      return;
    }
    const members = frame.value as Members;
    for (const name of Object.keys(part)) {
      if (++frame.size > this.#mostMembers)
        throw new DevnetError('invalidRequest', {
          reason: `an object has more than ${this.#mostMembers} members`,
        });
      setOwn(members, name, part[name]);
    }
  }

  #pathTo(depth: number): string[] {
    const path: string[] = [];
    for (let i = 1; i < depth; i++) path.push(this.#frames[i]!.name);
    return path;
  }

  /** Returns the name before a member's value. */
  #name(from: number, to: number): string {
    const [name] = Object.keys(JSON.parse(`{${this.#bytes.toString('utf8', from, to)}0}`) as object);
    if (name === undefined) throw new SyntaxError(`expected a name at byte ${from}`);
    return name;
  }

  #parse(from: number, to: number): unknown {
    return JSON.parse(this.#bytes.toString('utf8', from, to));
  }

  #expectBlank(from: number, to: number): void {
    for (let at = from; at < to; at++)
      if (!BLANK.has(this.#bytes[at]!)) throw new SyntaxError(`unexpected text at byte ${at}`);
  }
}

/** @param value becomes the only member, even if the name is `__proto__` */
function named(name: string, value: unknown): Members {
  const members: Members = {};
  setOwn(members, name, value);
  return members;
}

/** Sets an own member, as `JSON.parse` does: the name `__proto__` doesn't change the prototype. */
function setOwn(members: Members, name: string, value: unknown): void {
  if (name !== '__proto__') members[name] = value;
  else Object.defineProperty(members, name, { value, configurable: true, enumerable: true, writable: true });
}

function isEmpty(part: Members | unknown[]): boolean {
  if (Array.isArray(part)) return part.length === 0;
  for (const _ in part) return false;
  return true;
}

/**
 * Parses JSON of any size without blocking other work.
 * @param bytes UTF-8; must not be changed in the meantime
 * @returns the result of `JSON.parse`; without a promise if it is done within the time slice
 * @throws SyntaxError if it isn't JSON; DevnetError -32600 for more than {@link MAX_LEVELS} levels or `mostMembers` members. Rejects
 * instead if it has paused
 */
export function parseJson(bytes: Buffer, options: ParseOptions = {}): Awaitable<unknown> {
  const parser = new PiecewiseParser(bytes, options);
  const parsing = inTurns(parser.step, options.pauses ?? turns);
  return parsing ? parsing.then(() => parser.value) : parser.value;
}

/** Texts of up to this many characters are parsed in one step, which takes a fraction of a millisecond. */
const SHORT = 64 * 1024;

/** Parses the text of a request, or its bytes (UTF-8). Throws like {@link parseJson}. */
export function parseRequest(request: string | Buffer): Awaitable<unknown> {
  if (request.length <= SHORT) {
    const text = typeof request === 'string' ? request : request.toString('utf8');
    if (text.length <= MAX_LEVELS || !mayBeDeep(text)) return JSON.parse(text);
  }
  const bytes = typeof request === 'string' ? Buffer.from(request) : request;
  return parseJson(bytes, { mostMembers: MAX_MEMBERS });
}

/** Whether a text has more brackets than the allowed number of levels, wherever they are. */
function mayBeDeep(text: string): boolean {
  let brackets = 0;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++brackets > MAX_LEVELS) return true;
  return false;
}
