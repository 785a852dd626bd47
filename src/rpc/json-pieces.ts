import { type Pauses, turns } from '../turns.ts';
import { JsonStream, type TextSink } from './json-stream.ts';
import { JsonText } from './json-text.ts';

/** A JSON array whose items are created when they are written. */
export class JsonList<T = unknown> {
  readonly items: () => Iterable<T>;

  constructor(items: () => Iterable<T>) {
    this.items = items;
  }

  toJSON(): T[] {
    return [...this.items()];
  }
}

/** A JSON object whose members are created when they are written. */
export class JsonMembers<T = unknown> {
  readonly members: () => Iterable<readonly [name: string, value: T]>;

  constructor(members: () => Iterable<readonly [name: string, value: T]>) {
    this.members = members;
  }

  toJSON(): Record<string, T> {
    return Object.fromEntries(this.members());
  }
}

/** An array or object that is partly written. */
interface Open {
  readonly rest: Iterator<unknown>;
  readonly named: boolean;
  isFirst: boolean;
}

/** Returns a stream of a value's JSON, which is created in pieces: the value may be a tree of any size. */
export function streamOf(value: unknown): Promise<JsonStream> {
  return JsonStream.open((out) => writeJson(value, out));
}

/** Writes what `JSON.stringify` would return for a value, and lets other work run in between. */
export async function writeJson(value: unknown, out: TextSink, pauses: Pauses = turns): Promise<void> {
  const open: Open[] = [];
  begin(value, open, out);
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const { done, value: next } = last.rest.next();
    if (done) {
      out.write(last.named ? '}' : ']');
      open.pop();
      continue;
    }
    const [name, part] = last.named ? (next as [string, unknown]) : [undefined, next];
    if (name !== undefined && part === undefined) continue;
    out.write((last.isFirst ? '' : ',') + (name === undefined ? '' : `${JSON.stringify(name)}:`));
    last.isFirst = false;
    begin(part, open, out);
    const wait = out.room() ?? (pauses.due ? pauses.pause() : undefined);
    if (wait) await wait;
  }
}

/** Writes a value without parts, or the start of one with parts. */
function begin(value: unknown, open: Open[], out: TextSink): void {
  if (value instanceof JsonText) {
    out.write(value.text);
    return;
  }
  const rest = partsOf(value);
  if (!rest) {
    out.write(JSON.stringify(value) ?? 'null');
    return;
  }
  const named = !Array.isArray(value) && !(value instanceof JsonList);
  out.write(named ? '{' : '[');
  open.push({ rest, named, isFirst: true });
}

/** @returns `undefined` for a value short enough to be written at once */
function partsOf(value: unknown): Iterator<unknown> | undefined {
  if (value instanceof JsonList) return value.items()[Symbol.iterator]();
  if (value instanceof JsonMembers) return value.members()[Symbol.iterator]();
  if (Array.isArray(value)) return value.some(isObject) ? value.values() : undefined;
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const members = Object.entries(value);
  return members.some(([, part]) => isObject(part)) ? members.values() : undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
