import { DevnetError } from '../../errors.ts';
import { decodeItems } from './decoding.ts';

/**
 * Checks and converts one JSON value. `decode` gets `undefined` for a missing value, and throws `invalidParams` naming
 * `path` (such as `params[0].to`).
 */
export interface Codec<T> {
  readonly decode: (value: unknown, path: string) => T;
  /** whether it decodes a missing value to `undefined` */
  readonly isOptional?: boolean;
  /** an object's fields, for the generated reference of the methods */
  readonly fields?: Readonly<Record<string, Codec<unknown>>>;
  /** whether it decodes to a `BlockRef` */
  readonly isBlock?: true;
  /** whether it decodes a storage slot, which may be written with fewer than 32 bytes */
  readonly isSlot?: true;
  /** codec of an array's items, or of a map's values */
  readonly items?: Codec<unknown>;
}

/** The type of a codec's decoded value. */
export type Decoded<C> = C extends Codec<infer T> ? T : never;

const GOT_LENGTH = 80;

/** @throws DevnetError -32602 with the path, the expected value, and the given value (shortened) */
export function invalid(path: string, expected: string, got: unknown): never {
  throw new DevnetError('invalidParams', { reason: `${path}: expected ${expected}, got ${describe(got)}` });
}

/** Formats a value as shortened JSON. The value may have megabytes, and more levels than `JSON.stringify` can handle. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  const shown = { text: '' };
  show(value, shown);
  return shown.text.length > GOT_LENGTH ? `${shown.text.slice(0, GOT_LENGTH)}…` : shown.text;
}

/** Appends the JSON of a value to the text, until the text is longer than the limit. */
function show(value: unknown, shown: { text: string }): void {
  if (Array.isArray(value)) {
    shown.text += '[';
    for (let i = 0; i < value.length && shown.text.length <= GOT_LENGTH; i++) {
      if (i > 0) shown.text += ',';
      show(value[i], shown);
    }
    shown.text += ']';
  } else if (isObject(value)) {
    shown.text += '{';
    let comma = '';
    for (const name in value) {
      if (shown.text.length > GOT_LENGTH) break;
      shown.text += `${comma}${JSON.stringify(name.slice(0, GOT_LENGTH + 1))}:`;
      show(value[name], shown);
      comma = ',';
    }
    shown.text += '}';
  } else
    shown.text +=
      JSON.stringify(typeof value === 'string' ? value.slice(0, GOT_LENGTH + 1) : value) ?? 'null';
}

/** Decodes a missing value or null to `undefined`. */
export function optional<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    ...codec,
    isOptional: true,
    decode: (value, path) => (value === undefined || value === null ? undefined : codec.decode(value, path)),
  };
}

/** Decodes a missing value or null to `fallback`. */
export function withDefault<T>(codec: Codec<T>, fallback: T): Codec<T> {
  return {
    ...codec,
    isOptional: false,
    decode: (value, path) => (value === undefined || value === null ? fallback : codec.decode(value, path)),
  };
}

/** Converts a decoded value; `convert` may reject it with {@link invalid}. */
export function mapped<T, U>(codec: Codec<T>, convert: (value: T, path: string) => U): Codec<U> {
  return {
    ...codec,
    isOptional: false,
    decode: (value, path) => convert(codec.decode(value, path), path),
  };
}

/** A JSON array whose items have the same codec. */
export function array<T>(item: Codec<T>): Codec<readonly T[]> {
  const codec: Codec<readonly T[]> = {
    items: item,
    decode: (value, path) => {
      if (!Array.isArray(value)) return invalid(path, 'an array', value);
      return decodeItems(
        codec,
        value,
        () => ({ list: value, made: [] as T[] }),
        (made, entry, i) => made.push(item.decode(entry, `${path}[${i}]`)),
      );
    },
  };
  return codec;
}

/** Uses the first codec that accepts the value. @param expected describes all accepted values, for the error message */
export function anyOf<C extends readonly Codec<unknown>[]>(
  expected: string,
  ...codecs: C
): Codec<Decoded<C[number]>> {
  return {
    decode: (value, path) => {
      for (const codec of codecs) {
        try {
          return codec.decode(value, path) as Decoded<C[number]>;
        } catch (error) {
          if (!(error instanceof DevnetError)) throw error;
        }
      }
      return invalid(path, expected, value);
    },
  };
}

type Shape = Readonly<Record<string, Codec<unknown>>>;
type OptionalKeys<S extends Shape> = {
  [K in keyof S]: undefined extends Decoded<S[K]> ? K : never;
}[keyof S];

/** The result of {@link object}: a field whose codec is {@link optional} may be absent. */
export type DecodedObject<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKeys<S>>]: Decoded<S[K]>;
} & { readonly [K in OptionalKeys<S>]?: Exclude<Decoded<S[K]>, undefined> };

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON object. Unknown fields are ignored, as in geth. */
export function object<S extends Shape>(expected: string, shape: S): Codec<DecodedObject<S>> {
  const fields = Object.entries(shape);
  return {
    fields: shape,
    decode: (value, path) => {
      if (!isObject(value)) return invalid(path, expected, value);
      const decoded: Record<string, unknown> = {};
      for (const [name, codec] of fields) {
        const isGiven = Object.hasOwn(value, name);
        if (!isGiven && codec.isOptional) continue;
        const field = codec.decode(isGiven ? value[name] : undefined, `${path}.${name}`);
        if (field !== undefined) decoded[name] = field;
      }
      // The loop has set exactly the fields of the shape, which TypeScript can't infer.
      return decoded as DecodedObject<S>;
    },
  };
}

/** A JSON object used as a map; its keys are decoded, too. Entries keep their order. */
export function record<K, V>(
  expected: string,
  key: Codec<K>,
  value: Codec<V>,
): Codec<readonly (readonly [K, V])[]> {
  return collected(expected, key, value, () => ({
    made: [] as (readonly [K, V])[],
    add: (made, name, entry) => made.push([name, entry]),
  }));
}

/** Like {@link record}, but returns a Map. @param toKey returns the Map's key for a decoded key */
export function map<K, V>(
  expected: string,
  key: Codec<K>,
  value: Codec<V>,
  toKey: (key: K) => string,
): Codec<ReadonlyMap<string, V>> {
  return collected(expected, key, value, () => ({
    made: new Map<string, V>(),
    add: (made, name, entry) => made.set(toKey(name), entry),
  }));
}

function collected<K, V, M>(
  expected: string,
  key: Codec<K>,
  value: Codec<V>,
  begin: () => { readonly made: M; readonly add: (made: M, name: K, entry: V) => void },
): Codec<M> {
  const codec: Codec<M> = {
    items: value,
    decode: (input, path) => {
      if (!isObject(input)) return invalid(path, expected, input);
      const { made, add } = begin();
      return decodeItems(
        codec,
        input,
        () => ({ list: Object.keys(input), made }),
        (all, name) =>
          add(all, key.decode(name, `key of ${path}`), value.decode(input[name], `${path}.${name}`)),
      );
    },
  };
  return codec;
}

/** Reads a field that has several names. If it is given under more than one name, the values must be equal by `same`. */
export function alias<T>(
  names: readonly string[],
  codec: Codec<T>,
  same: (a: T, b: T) => boolean = Object.is,
): Codec<T | undefined> {
  return {
    decode: (value, path) => {
      if (!isObject(value)) return undefined;
      let found: { name: string; value: T } | undefined;
      for (const name of names) {
        if (!Object.hasOwn(value, name) || value[name] === undefined || value[name] === null) continue;
        const next = { name, value: codec.decode(value[name], `${path}.${name}`) };
        if (found && !same(found.value, next.value))
          invalid(`${path}.${name}`, `the same value as ${found.name}`, value[name]);
        found ??= next;
      }
      return found?.value;
    },
  };
}
