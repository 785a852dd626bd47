import { DevnetError } from '../../errors.ts';

/**
 * Parses and converts one JSON value in one step.
 * `decode` gets `undefined` for a missing value and throws `invalidParams` naming `path` (`params[0].to`).
 */
export interface Codec<T> {
  readonly decode: (value: unknown, path: string) => T;
}

/** What a codec makes. */
export type Decoded<C> = C extends Codec<infer T> ? T : never;

const GOT_LENGTH = 80;

/** Throws -32602 saying where, what was expected and what came instead (shortened). */
export function invalid(path: string, expected: string, got: unknown): never {
  throw new DevnetError('invalidParams', { reason: `${path}: expected ${expected}, got ${describe(got)}` });
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  let text: string;
  try {
    // A long string is cut before it is quoted: it may be megabytes of call data.
    text = JSON.stringify(typeof value === 'string' ? value.slice(0, GOT_LENGTH + 1) : value);
  } catch {
    // JSON.stringify recurses where JSON.parse doesn't.
    return 'a value nested too deep to show';
  }
  return text.length > GOT_LENGTH ? `${text.slice(0, GOT_LENGTH)}…` : text;
}

const isMissing = (value: unknown): value is undefined | null => value === undefined || value === null;

/** `undefined` for a value that is missing or null. */
export function optional<T>(codec: Codec<T>): Codec<T | undefined> {
  return { decode: (value, path) => (isMissing(value) ? undefined : codec.decode(value, path)) };
}

/** `fallback` for a value that is missing or null. */
export function withDefault<T>(codec: Codec<T>, fallback: T): Codec<T> {
  return { decode: (value, path) => (isMissing(value) ? fallback : codec.decode(value, path)) };
}

/** Changes a decoded value; `convert` may refuse it with {@link invalid}. */
export function mapped<T, U>(codec: Codec<T>, convert: (value: T, path: string) => U): Codec<U> {
  return { decode: (value, path) => convert(codec.decode(value, path), path) };
}

/** A JSON array of one kind of item. */
export function array<T>(item: Codec<T>): Codec<readonly T[]> {
  return {
    decode: (value, path) => {
      if (!Array.isArray(value)) return invalid(path, 'an array', value);
      return value.map((entry, i) => item.decode(entry, `${path}[${i}]`));
    },
  };
}

/** The first codec that takes the value; `expected` names them all. */
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

/** What {@link object} makes: a field whose codec is {@link optional} may be absent. */
export type DecodedObject<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKeys<S>>]: Decoded<S[K]>;
} & { readonly [K in OptionalKeys<S>]?: Exclude<Decoded<S[K]>, undefined> };

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON object. Fields it doesn't know are ignored, as geth does. */
export function object<S extends Shape>(expected: string, shape: S): Codec<DecodedObject<S>> {
  const fields = Object.entries(shape);
  return {
    decode: (value, path) => {
      if (!isObject(value)) return invalid(path, expected, value);
      const decoded: Record<string, unknown> = {};
      for (const [name, codec] of fields) {
        const field = codec.decode(Object.hasOwn(value, name) ? value[name] : undefined, `${path}.${name}`);
        if (field !== undefined) decoded[name] = field;
      }
      // The loop filled exactly the fields of the shape; TypeScript can't follow that.
      return decoded as DecodedObject<S>;
    },
  };
}

/** A JSON object used as a map: the keys are decoded too. Entries keep their order. */
export function record<K, V>(
  expected: string,
  key: Codec<K>,
  value: Codec<V>,
): Codec<readonly (readonly [K, V])[]> {
  return {
    decode: (input, path) => {
      if (!isObject(input)) return invalid(path, expected, input);
      return Object.entries(input).map(
        ([name, entry]) =>
          [key.decode(name, `key of ${path}`), value.decode(entry, `${path}.${name}`)] as const,
      );
    },
  };
}

/** Reads a field under any of several names; two that are both there must agree, which `same` decides. */
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
        if (!Object.hasOwn(value, name) || isMissing(value[name])) continue;
        const next = { name, value: codec.decode(value[name], `${path}.${name}`) };
        if (found && !same(found.value, next.value))
          invalid(`${path}.${name}`, `the same value as ${found.name}`, value[name]);
        found ??= next;
      }
      return found?.value;
    },
  };
}
