import type { Awaitable } from '../../state/view.ts';
import { type Pauses, turns } from '../../turns.ts';

/** Items between two looks at the clock. */
const STRIDE = 64;

/** How far the items of a list or object are decoded. */
interface Progress {
  /** the items, or the names of the members */
  readonly list: readonly unknown[];
  /** what was made of those before {@link next} */
  readonly made: unknown;
  next: number;
}

/** Thrown by a codec when other work is to run. */
const PAUSE = new Error('decoding stands still');

/** Parameters that are being decoded, with pauses. */
class Decoding {
  readonly #pauses: Pauses;
  readonly #progress = new Map<object, Map<object, Progress>>();

  constructor(pauses: Pauses) {
    this.#pauses = pauses;
  }

  get due(): boolean {
    return this.#pauses.due;
  }

  of(codec: object, value: object): Progress | undefined {
    return this.#progress.get(codec)?.get(value);
  }

  keep(codec: object, value: object, progress: Progress): void {
    const known = this.#progress.get(codec) ?? new Map<object, Progress>();
    this.#progress.set(codec, known.set(value, progress));
  }
}

/** Set while codecs run, which never wait. */
let current: Decoding | undefined;

/**
 * Decodes parameters, and lets other work run between the items of their lists and objects. Codecs aren't interrupted: they
 * begin anew after each pause, and {@link decodeItems} goes on where it was.
 * @returns at once where the time slice lasts
 */
export function decodeInTurns<T>(decode: () => T, pauses: Pauses = turns): Awaitable<T> {
  const decoding = new Decoding(pauses);
  const attempt = (): Awaitable<T> => {
    const outer = current;
    current = decoding;
    try {
      return decode();
    } catch (error) {
      if (error !== PAUSE) throw error;
    } finally {
      current = outer;
    }
    return pauses.pause().then(attempt);
  };
  return attempt();
}

/**
 * Makes something of all items of a list, or all members of an object. Used by the codecs of values of any size.
 * @param codec whose value it is: another one may make something else of the same value
 * @param begin gives the items, or names, and what they are added to
 */
export function decodeItems<I, M>(
  codec: object,
  value: object,
  begin: () => { readonly list: readonly I[]; readonly made: M },
  add: (made: M, item: I, index: number) => void,
): M {
  const progress: Progress = current?.of(codec, value) ?? { ...begin(), next: 0 };
  // What is kept for a codec and a value was begun by the same codec.
  const { list, made } = progress as { list: readonly I[]; made: M };
  try {
    for (; progress.next < list.length; progress.next++) {
      if (progress.next % STRIDE === STRIDE - 1 && current?.due) throw PAUSE;
      add(made, list[progress.next]!, progress.next);
    }
  } catch (error) {
    if (error === PAUSE) current?.keep(codec, value, progress);
    throw error;
  }
  if (list.length >= STRIDE) current?.keep(codec, value, progress);
  return made;
}
