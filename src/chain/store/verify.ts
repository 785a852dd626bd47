import { bytesToUnprefixedHex } from '@ethereumjs/util';
import { type BatchRecord, decodeBatchRecord } from './batch-record.ts';
import type { CheckedLevel } from './checked-level.ts';
import { DataDirError } from './data-dir-error.ts';
import { batchKey, isIndex, PREFIX, sequenceOf } from './keys.ts';
import { readPruned } from './pruner/pruned.ts';

/** Batches are read back at open until both are reached, or the first batch that is kept, or a repair. */
const MIN_BATCHES = 128;
/**
 * What LevelDB drops without a word stood in its write-ahead logs: two of 4 MiB at most, and the batch that overflowed
 * the second. Older values stand in tables, and are checked one by one as they are read.
 */
const MIN_BYTES = 12 * 1024 * 1024;

/** The number of the newest batch, 0 in an empty database. */
export async function newestBatch(db: CheckedLevel): Promise<number> {
  const key = await db.endKey(PREFIX.batch, { reverse: true });
  return key ? sequenceOf(key) : 0;
}

/** @throws DataDirError `damaged` when the record is there but isn't what was written */
export function readBatch(db: CheckedLevel, sequence: number): BatchRecord | undefined {
  const bytes = db.get(batchKey(sequence));
  return bytes && decodeBatchRecord(bytes);
}

/** As {@link readBatch}, for one that has to be there. @throws DataDirError `damaged` when it isn't, too */
export function wholeBatch(db: CheckedLevel, sequence: number): BatchRecord {
  const record = readBatch(db, sequence);
  if (!record) throw db.damaged(`batch ${sequence} is missing`);
  return record;
}

/**
 * Reads batches back, from the head, and compares each value with the checksum its batch recorded.
 * @param extent `newest`: as many as LevelDB may have lost without a word
 * @returns what is wrong, or undefined
 */
export function findDamage(db: CheckedLevel, newest: number, extent: 'newest' | 'all'): string | undefined {
  const overwritten = new Set<string>();
  const first = readPruned(db).batch;
  let bytes = 0;
  for (let sequence = newest; sequence >= first; sequence--) {
    if (extent === 'newest' && newest - sequence >= MIN_BATCHES && bytes >= MIN_BYTES) return undefined;
    const checked = checkBatch(db, sequence, overwritten);
    if (typeof checked === 'string') return checked;
    if (checked.record.kind === 'repair') return undefined;
    bytes += checked.bytes;
  }
  return undefined;
}

/**
 * Reads every batch back for a repair. Indexes are passed over, since the repair makes them anew.
 * @returns the last batch up to which, from the first that is kept on, nothing is missing; 0 if there is none
 */
export function lastWholeBatch(db: CheckedLevel, newest: number): number {
  const first = readPruned(db).batch;
  for (let sequence = first; sequence <= newest; sequence++) {
    if (typeof checkBatch(db, sequence, undefined) === 'string') return sequence === first ? 0 : sequence - 1;
  }
  return newest;
}

/** @param overwritten indexes which newer batches wrote; these add their own. Without it indexes aren't compared. */
function checkBatch(
  db: CheckedLevel,
  sequence: number,
  overwritten: Set<string> | undefined,
): { record: BatchRecord; bytes: number } | string {
  try {
    const record = readBatch(db, sequence);
    if (!record) return `batch ${sequence} is missing`;
    let bytes = 0;
    for (const { key, checksum } of record.written) {
      if (isIndex(key)) {
        if (!overwritten) continue;
        const name = bytesToUnprefixedHex(key);
        if (overwritten.has(name)) continue;
        overwritten.add(name);
      }
      const found = db.read(key);
      if (found?.checksum !== checksum)
        return `a record of batch ${sequence}, block ${record.head.number}, is lost`;
      bytes += key.length + found.value.length;
    }
    return { record, bytes };
  } catch (error) {
    // Decoding a record can fail in as many ways as it can be damaged.
    if (error instanceof DataDirError || error instanceof RangeError)
      return `batch ${sequence}: ${error.message}`;
    throw error;
  }
}
