import { crc32 } from 'node:zlib';
import { Level } from 'level';
import { encodeBatchRecord, HEAD_BYTES, type WrittenEntry } from './batch-record.ts';
import { FrameReader } from './change-frame.ts';
import { batchKey } from './keys.ts';

export type Database = Level<Uint8Array, Uint8Array>;

export interface LevelOptions {
  readonly create: boolean;
  /**
   * Whether the database is deleted when this process ends. Its tables aren't compressed then: most of their content is hashes, and
   * compression makes reading the nodes of a large state slower.
   */
  readonly scratch?: boolean | undefined;
}

/** Makes the handle of a LevelDB, without opening it. Several threads of this process may open the same database. */
export function levelAt(path: string, { create, scratch = false }: LevelOptions): Database {
  // These are options of classic-level; the types of `level` contain only options that browsers also support.
  const options: object = { multithreading: true, compression: !scratch };
  return new Level<Uint8Array, Uint8Array>(path, {
    ...options,
    keyEncoding: 'view',
    valueEncoding: 'buffer',
    createIfMissing: create,
  });
}

/** How entries are stored. */
export interface Storing {
  /** whether a CRC-32 of key and value follows each value */
  readonly checksums: boolean;
  /** whether each change has a batch record */
  readonly records: boolean;
  /** whether a batch is complete only once it is on the disk, not only in the operating system's cache */
  readonly fsync: boolean;
}

/**
 * Minimum number of bytes of frames per LevelDB batch. With a single batch for all frames, one damaged byte in LevelDB's log
 * would lose all of them, and building the batch would block other work.
 */
const BATCH_BYTES = 65_536;

/**
 * Writes frames to LevelDB in order. Each frame is written in one atomic batch, possibly together with its neighbours. Each
 * value is followed by space for its checksum, which is filled in place.
 * @param from offset of the first frame
 * @param to offset of the end of the last frame
 */
export async function fill(
  level: Database,
  bytes: Uint8Array,
  { from, to }: { from: number; to: number },
  storing: Storing,
): Promise<void> {
  for (let at = from; at < to; ) {
    const batch = level.batch();
    const end = Math.min(to, at + BATCH_BYTES);
    while (at < end) at = putFrame(batch, bytes, at, storing);
    // `sync` is an option of classic-level; abstract-level passes it on.
    const options: object = { sync: storing.fsync };
    await batch.write(options);
  }
}

/** @returns offset of the end of the frame */
function putFrame(
  batch: ReturnType<Database['batch']>,
  bytes: Uint8Array,
  at: number,
  { checksums, records }: Storing,
): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const frame = new FrameReader(bytes, at);
  while (frame.nextChange()) {
    const { headAt } = frame;
    const written: WrittenEntry[] = [];
    while (frame.nextEntry()) {
      const { keyAt, valueAt, valueEnd } = frame;
      const key = bytes.subarray(keyAt, valueAt);
      const checksum = checksums ? crc32(bytes.subarray(keyAt, valueEnd)) : 0;
      if (checksums) view.setUint32(valueEnd, checksum);
      batch.put(key, bytes.subarray(valueAt, checksums ? valueEnd + 4 : valueEnd));
      if (records) written.push({ key, checksum });
    }
    if (!records) continue;
    const key = batchKey(frame.sequence);
    const record = encodeBatchRecord(bytes.subarray(headAt, headAt + HEAD_BYTES), written);
    batch.put(key, checksums ? withCrc(key, record) : record);
  }
  return frame.end;
}

/** The stored form of a value: followed by the CRC-32 of key and value. */
export function withCrc(key: Uint8Array, value: Uint8Array): Uint8Array {
  const stored = Buffer.allocUnsafe(value.length + 4);
  stored.set(value);
  stored.writeUInt32BE(checksumOf(key, value), value.length);
  return stored;
}

/** CRC-32 of key and value, so that a value stored under a wrong key is detected, too. */
export function checksumOf(key: Uint8Array, value: Uint8Array): number {
  const ofKey = crc32(key);
  // For an empty array without a memory address, zlib's crc32 returns 0 instead of the given initial value.
  return value.length === 0 ? ofKey : crc32(value, ofKey);
}
