import { readUint64 } from './keys.ts';

/** The newest sealed block. */
export interface Head {
  readonly number: bigint;
  readonly hash: Uint8Array;
  /** root of the state that the block's view reads: the header's, unless the state was patched */
  readonly stateRoot: Uint8Array;
}

/**
 * Kinds of batches, in the order of their codes on disk. `repair` ends a repair, which has checked all older batches. `prune`
 * moves the first kept block and batch, see `pruned.ts`. The head after `reservation` is the last of the reserved blocks.
 */
const KINDS = ['block', 'patch', 'head', 'meta', 'repair', 'prune', 'reservation'] as const;
export type BatchKind = (typeof KINDS)[number];

/** An entry in a batch record, with the CRC-32 of key and value. */
export interface WrittenEntry {
  readonly key: Uint8Array;
  readonly checksum: number;
}

/**
 * The record of an atomic batch's writes, stored in the batch itself under its sequence number. A batch that LevelDB lost
 * leaves a gap in the numbers; a changed value differs from its checksum here. The sequence of heads determines the
 * canonical chain, from which the indexes can be rewritten.
 */
export interface BatchRecord {
  readonly kind: BatchKind;
  /** the head after this batch */
  readonly head: Head;
  readonly written: readonly WrittenEntry[];
}

/** Size of the kind and the head. */
export const HEAD_BYTES = 1 + 8 + 32 + 32;

/**
 * Writes the kind (1 byte) and the head: number (8 bytes), hash, state root.
 * @param view a view on `bytes`
 */
export function writeHead(
  kind: BatchKind,
  head: Head,
  bytes: Uint8Array,
  at: number,
  view = new DataView(bytes.buffer, bytes.byteOffset),
): void {
  bytes[at] = KINDS.indexOf(kind);
  view.setBigUint64(at + 1, head.number);
  bytes.set(head.hash, at + 9);
  bytes.set(head.stateRoot, at + 41);
}

/**
 * Kind and head, then per entry: key length (1 byte), key, checksum.
 * @param head the bytes that {@link writeHead} wrote
 */
export function encodeBatchRecord(head: Uint8Array, written: readonly WrittenEntry[]): Uint8Array {
  const size = written.reduce((sum, { key }) => sum + 1 + key.length + 4, HEAD_BYTES);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(head);
  let offset = HEAD_BYTES;
  for (const { key, checksum } of written) {
    bytes[offset] = key.length;
    bytes.set(key, offset + 1);
    view.setUint32(offset + 1 + key.length, checksum);
    offset += 1 + key.length + 4;
  }
  return bytes;
}

export function decodeBatchRecord(bytes: Uint8Array): BatchRecord {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const written: WrittenEntry[] = [];
  for (let offset = HEAD_BYTES; offset < bytes.length; ) {
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
