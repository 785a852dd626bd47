import { crc32 } from 'node:zlib';
import { ENTRY_HEAD, ENTRY_TAIL, type EncodedEntries } from '../../state/encoded-entries.ts';
import { type BatchKind, HEAD_BYTES, type Head, writeHead } from './batch-record.ts';
import type { Entry } from './checked-level.ts';
import { readUint64 } from './keys.ts';

/** A change in the form in which it is written: its entries, and the data of its batch record. */
export interface FramedChange {
  readonly kind: BatchKind;
  /** the head after this change */
  readonly head: Head;
  readonly entries: readonly Entry[];
  /** more entries, already encoded */
  readonly encoded?: readonly EncodedEntries[] | undefined;
}

/** Changes that are written together, atomically. */
export interface Frame {
  /** number of the first change's batch; those of the others are consecutive */
  readonly first: number;
  /** the head before these changes; absent before the first block */
  readonly before: Head | undefined;
  readonly changes: readonly FramedChange[];
}

/** Length of the body (4 bytes) and its CRC-32 (4). */
const PREAMBLE = 8;
/** Number of the first batch (8), number of changes (4), hash (32) and state root (32) of the head before. */
const FIXED = 8 + 4 + 32 + 32;
/** Kind and head (as in the batch record), number of entries (4). */
const CHANGE = HEAD_BYTES + 4;

const NO_HASH = new Uint8Array(32);

/** Size in bytes of a frame. */
export function frameSize({ changes }: Frame): number {
  let size = PREAMBLE + FIXED;
  for (const { entries, encoded } of changes) {
    size += CHANGE;
    if (encoded) for (const { bytes } of encoded) size += bytes.length;
    for (const entry of entries) size += ENTRY_HEAD + entry[0].length + entry[1].length + ENTRY_TAIL;
  }
  return size;
}

/**
 * Encodes a frame into `bytes`, which must have room for it. Numbers are big-endian.
 * @param options.checksum whether the frame gets its CRC-32; without it, the frame can't be read from a file
 * @param options.view a view on `bytes`, if there already is one
 */
export function encodeFrame(
  { first, before, changes }: Frame,
  bytes: Uint8Array,
  at: number,
  { checksum, view = viewOf(bytes) }: { checksum: boolean; view?: DataView },
): void {
  const body = at + PREAMBLE;
  view.setBigUint64(body, BigInt(first));
  view.setUint32(body + 8, changes.length);
  bytes.set(before?.hash ?? NO_HASH, body + 12);
  bytes.set(before?.stateRoot ?? NO_HASH, body + 44);
  let end = body + FIXED;
  for (const { kind, head, entries, encoded } of changes) {
    writeHead(kind, head, bytes, end, view);
    let count = entries.length;
    const countAt = end + HEAD_BYTES;
    end += CHANGE;
    if (encoded)
      for (const part of encoded) {
        bytes.set(part.bytes, end);
        end += part.bytes.length;
        count += part.count;
      }
    view.setUint32(countAt, count);
    for (const [key, value] of entries) {
      bytes[end] = key.length;
      view.setUint32(end + 1, value.length);
      bytes.set(key, end + ENTRY_HEAD);
      end += ENTRY_HEAD + key.length;
      bytes.set(value, end);
      end += value.length;
      view.setUint32(end, 0);
      end += ENTRY_TAIL;
    }
  }
  view.setUint32(at, end - body);
  view.setUint32(at + 4, checksum ? crc32(bytes.subarray(body, end)) : 0);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Length of an entry's key. @param keyAt offset of the key */
export function keyLength(bytes: Uint8Array, keyAt: number): number {
  return bytes[keyAt - ENTRY_HEAD]!;
}

/** Length of an entry's value. @param keyAt offset of the entry's key */
export function valueLength(view: DataView, keyAt: number): number {
  return view.getUint32(keyAt - ENTRY_HEAD + 1);
}

/** Length in bytes of a complete frame. */
export function frameLength(bytes: Uint8Array, at: number): number {
  return PREAMBLE + new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0);
}

/** Renumbers a frame's changes. Its CRC-32 is wrong afterwards. @param first new first number @returns the number of changes */
export function numberFrame(bytes: Uint8Array, at: number, first: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + PREAMBLE);
  view.setBigUint64(0, BigInt(first));
  return view.getUint32(8);
}

/** Offset of the end of a frame; `undefined` if it is incomplete or damaged. */
export function frameEnd(bytes: Uint8Array, at: number): number | undefined {
  const body = at + PREAMBLE;
  if (body + FIXED > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = body + view.getUint32(at);
  if (end < body + FIXED || end > bytes.length) return undefined;
  return crc32(bytes.subarray(body, end)) === view.getUint32(at + 4) ? end : undefined;
}

/**
 * Iterates over a frame without copying: call {@link nextChange}, then {@link nextEntry} until it returns false, and so on.
 * Offsets refer to the array that contains the frame.
 */
export class FrameReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;
  #changes: number;
  #entries = 0;
  readonly #beforeAt: number;
  /** number of the first change's batch */
  readonly first: number;
  /** number of the last change's batch */
  readonly last: number;
  /** number of the current change's batch */
  sequence: number;
  /** offset of the current change's kind and head */
  headAt = 0;
  keyAt = 0;
  valueAt = 0;
  /** offset of the end of the value, where the space for its checksum begins */
  valueEnd = 0;

  /** @param at offset of the frame, which must be complete */
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const body = at + PREAMBLE;
    this.first = Number(readUint64(bytes, body));
    this.#changes = this.#view.getUint32(body + 8);
    this.last = this.first + this.#changes - 1;
    this.sequence = this.first - 1;
    this.#at = body + FIXED;
    this.#beforeAt = body + 12;
  }

  /** Whether `head` was the head before the frame's changes. */
  follows(head: Head | undefined): boolean {
    const at = this.#beforeAt;
    const isEqual = (bytes: Uint8Array, from: number) =>
      Buffer.compare(bytes, this.#bytes.subarray(from, from + 32)) === 0;
    return isEqual(head?.hash ?? NO_HASH, at) && isEqual(head?.stateRoot ?? NO_HASH, at + 32);
  }

  nextChange(): boolean {
    if (this.#changes === 0) return false;
    this.#changes--;
    this.sequence++;
    this.headAt = this.#at;
    this.#entries = this.#view.getUint32(this.#at + HEAD_BYTES);
    this.#at += CHANGE;
    return true;
  }

  nextEntry(): boolean {
    if (this.#entries === 0) return false;
    this.#entries--;
    this.keyAt = this.#at + ENTRY_HEAD;
    this.valueAt = this.keyAt + this.#bytes[this.#at]!;
    this.valueEnd = this.valueAt + this.#view.getUint32(this.#at + 1);
    this.#at = this.valueEnd + ENTRY_TAIL;
    return true;
  }

  /** Offset of the end of the frame, valid after all of it was read. */
  get end(): number {
    return this.#at;
  }
}
