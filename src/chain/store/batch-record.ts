import { concatBytes } from '@ethereumjs/util';
import type { Entry } from './checked-level.ts';
import { readUint64, uint64 } from './keys.ts';

/** The newest sealed block. */
export interface Head {
  readonly number: bigint;
  readonly hash: Uint8Array;
  /** root of the state that the block's view reads: the header's, unless the state was patched */
  readonly stateRoot: Uint8Array;
}

/**
 * In the order of their codes on disk. `repair` ends a repair: all older batches were checked then. `prune` moves the
 * first kept block and batch, see `pruned.ts`.
 */
const KINDS = ['block', 'patch', 'head', 'meta', 'repair', 'prune'] as const;
export type BatchKind = (typeof KINDS)[number];

/**
 * The record of what an atomic batch wrote, stored in the batch itself under its sequence number. A batch that
 * LevelDB lost leaves a gap in the numbers; a value that was changed differs from the checksum here. The sequence of
 * heads determines the canonical chain, from which the indexes can be rewritten.
 */
export interface BatchRecord {
  readonly kind: BatchKind;
  /** the head after this batch */
  readonly head: Head;
  readonly written: readonly { readonly key: Uint8Array; readonly checksum: number }[];
}

const FIXED_BYTES = 1 + 8 + 32 + 32;

/** Kind, head (number, hash, state root), then per entry: key length (1 byte), key, checksum. */
export function encodeBatchRecord(
  kind: BatchKind,
  head: Head,
  entries: readonly Entry[],
  checksumOf: (entry: Entry) => number,
): Uint8Array {
  const fixed = concatBytes(
    Uint8Array.of(KINDS.indexOf(kind)),
    uint64(head.number),
    head.hash,
    head.stateRoot,
  );
  const size = entries.reduce((sum, [key]) => sum + 1 + key.length + 4, FIXED_BYTES);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(fixed);
  let offset = FIXED_BYTES;
  for (const entry of entries) {
    const [key] = entry;
    bytes[offset] = key.length;
    bytes.set(key, offset + 1);
    view.setUint32(offset + 1 + key.length, checksumOf(entry));
    offset += 1 + key.length + 4;
  }
  return bytes;
}

export function decodeBatchRecord(bytes: Uint8Array): BatchRecord {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const written: { key: Uint8Array; checksum: number }[] = [];
  for (let offset = FIXED_BYTES; offset < bytes.length; ) {
    const length = bytes[offset]!;
    const end = offset + 1 + length;
    written.push({ key: bytes.subarray(offset + 1, end), checksum: view.getUint32(end) });
    offset = end + 4;
  }
  return {
    kind: KINDS[bytes[0]!]!,
    head: { number: readUint64(bytes, 1), hash: bytes.slice(9, 41), stateRoot: bytes.slice(41, 73) },
    written,
  };
}
