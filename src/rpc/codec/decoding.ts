import type { Awaitable } from '../../state/view.ts';
import { type Pauses, turns } from '../../turns.ts';

/** The clock is read once per this many items. */
const STRIDE = 64;

/** How far the items of a list or object have been decoded. */
interface Progress {
  /** the items of the list, or the names of the object's members */
  readonly list: readonly unknown[];
  /** the result of decoding the items before {@link next} */
  readonly made: unknown;
  readonly next: number;
}

/** Thrown inside a codec when the decoding has to pause, so that other work can run. */
const PAUSE = new Error('decoding stands still');

/** A decoding of parameters that may pause. */
interface Decoding {
  readonly pauses: Pauses;
  /** by codec and value; undefined until a large value is decoded */
  progress: Map<object, Map<object, Progress>> | undefined;
}

/** The decoding whose codecs are running now. Codecs run synchronously. */
let current: Decoding | undefined;

/**
 * Decodes parameters, and lets other work run between the items of their lists and objects. A codec can't be suspended: after each pause it
 * starts again, and {@link decodeItems} continues where it stopped.
 * @returns the result itself, not a promise, if no pause was needed
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
 * Decodes all items of a list, or all members of an object. Codecs of values of any size use it.
 * @param codec the codec that decodes the value: another codec may give another result for the same value
 * @param begin returns the items, or the names of members, and the collection to which `add` adds the results
 */
export function decodeItems<I, M>(
  codec: object,
  value: object,
  begin: () => { readonly list: readonly I[]; readonly made: M },
  add: (made: M, item: I, index: number) => void,
): M {
  const known = current?.progress?.get(codec)?.get(value);
  // Progress is stored by codec, so it has the types of this codec.
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
