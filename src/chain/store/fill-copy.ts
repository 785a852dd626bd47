import type { Head } from './batch-record.ts';
import { encodeFrame, type Frame, frameEnd, frameLength, frameSize, numberFrame } from './change-frame.ts';
import type { CheckedLevel } from './checked-level.ts';
import { metaKey } from './keys.ts';
import { type Pruned, prunedMeta } from './pruner/pruned.ts';

/** Size in bytes of the length field at the beginning of a frame. */
const LENGTH = 4;

/** A copy of another store's content. */
export interface StoreCopy {
  /** the parts of a `StoreCopier`, concatenated: a complete part, and those after it */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly genesis: Uint8Array;
  readonly head: Head;
  readonly extent: Pick<Pruned, 'first' | 'states'>;
}

/**
 * Fills an empty database with the content of another store.
 * @throws Error if the copy is incomplete or damaged
 */
export async function fillCopy(db: CheckedLevel, { bytes, head, extent }: StoreCopy): Promise<void> {
  let sequence = 1;
  for await (const frames of wholeFrames(bytes)) {
    let at = 0;
    while (at < frames.length) {
      const end = frameEnd(frames, at);
      if (end === undefined) throw new Error('the copy of the chain was changed');
      sequence += numberFrame(frames, at, sequence);
      at = end;
    }
    await db.fill(frames, { from: 0, to: frames.length });
  }
  const pruned = prunedMeta({ ...extent, batch: 1 });
  const entries = Object.entries(pruned).map(
    ([name, value]) => [metaKey(name), Buffer.from(JSON.stringify(value))] as const,
  );
  const last: Frame = { first: sequence, before: undefined, changes: [{ kind: 'prune', head, entries }] };
  const encoded = new Uint8Array(frameSize(last));
  encodeFrame(last, encoded, 0, { checksum: false });
  await db.fill(encoded, { from: 0, to: encoded.length });
}

/** Regroups the bytes into pieces that consist of complete frames. */
async function* wholeFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0);
  for await (const piece of bytes) {
    // Copies the bytes, because the frames are renumbered in place.
    held = Buffer.concat([held, piece]);
    let end = 0;
    while (end + LENGTH <= held.length && end + frameLength(held, end) <= held.length)
      end += frameLength(held, end);
    if (end === 0) continue;
    yield held.subarray(0, end);
    held = held.subarray(end);
  }
  if (held.length > 0) throw new Error('the copy of the chain is cut off');
}
