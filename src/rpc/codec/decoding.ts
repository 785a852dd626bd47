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
  readonly next: number;
}

/** Thrown by a codec when other work is to run. */
const PAUSE = new Error('decoding stands still');

/** Parameters that are being decoded, with pauses. */
interface Decoding {
  readonly pauses: Pauses;
  /** by codec and value; made for the first large one */
  progress: Map<object, Map<object, Progress>> | undefined;
}

/** Set while codecs run, which never wait. */
let current: Decoding | undefined;

/**
 * Decodes parameters, and lets other work run between the items of their lists and objects. Codecs aren't interrupted: they
 * begin anew after each pause, and {@link decodeItems} goes on where it was.
 * @returns at once where the time slice lasts
 */
export function decodeInTurns<P, T>(
  decode: (params: P) => T,
  params: P,
  pauses: Pauses = turns,
  decoding: Decoding = { pauses, progress: undefined },
): Awaitable<T> {
  const outer = current;
  current = decoding;
  try {
    return decode(params);
  } catch (error) {
    if (error !== PAUSE) throw error;
  } finally {
    current = outer;
  }
  return pauses.pause().then(() => decodeInTurns(decode, params, pauses, decoding));
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
  const known = current?.progress?.get(codec)?.get(value);
  // What is kept for a codec and a value was begun by the same codec.
  const { list, made } = (known ?? begin()) as { list: readonly I[]; made: M };
  let next = known?.next ?? 0;
  try {
    for (; next < list.length; next++) {
      if (next % STRIDE === STRIDE - 1 && current?.pauses.due) throw PAUSE;
      add(made, list[next]!, next);
    }
  } catch (error) {
    if (error === PAUSE) keep(codec, value, { list, made, next });
    throw error;
  }
  if (list.length >= STRIDE) keep(codec, value, { list, made, next });
  return made;
}

function keep(codec: object, value: object, progress: Progress): void {
  if (!current) return;
  current.progress ??= new Map();
  const known = current.progress.get(codec);
  if (known) known.set(value, progress);
  else current.progress.set(codec, new Map([[value, progress]]));
}
