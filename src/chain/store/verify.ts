import { bytesToUnprefixedHex } from '@ethereumjs/util';
import type { OnProgress } from '../../progress.ts';
import { type BatchRecord, decodeBatchRecord } from './batch-record.ts';
import type { CheckedLevel } from './checked-level.ts';
import { DataDirError } from './data-dir-error.ts';
import { batchKey, isIndex, PREFIX, sequenceOf } from './keys.ts';
import { readPruned } from './pruner/pruned.ts';

/**
 * Opening verifies at least this many of the newest batches, and at least {@link MIN_BYTES}, but stops at the first kept batch or
 * at a repair.
 */
const MIN_BATCHES = 128;
/**
 * LevelDB can silently drop only data in its own logs: at most two logs of 4 MiB, and the batch that overflowed the second.
 * Older values are in tables, and are checked when they are read.
 */
const MIN_BYTES = 12 * 1024 * 1024;

/** Number of the newest batch; 0 in an empty database. */
export async function newestBatch(db: CheckedLevel): Promise<number> {
  const key = await db.endKey(PREFIX.batch, { reverse: true });
  return key ? sequenceOf(key) : 0;
}

/**
 * Reads the record of a batch; undefined if it is missing.
 * @throws DataDirError `damaged` if it was changed
 */
export function readBatch(db: CheckedLevel, sequence: number): BatchRecord | undefined {
  const bytes = db.get(batchKey(sequence));
  return bytes && decodeBatchRecord(bytes);
}

/**
 * Like {@link readBatch}, for a record that must exist.
 * @throws DataDirError `damaged`, also if it is missing
 */
export function wholeBatch(db: CheckedLevel, sequence: number): BatchRecord {
  const record = readBatch(db, sequence);
  if (!record) throw db.damaged(`batch ${sequence} is missing`);
  return record;
}

/**
 * Verifies batches, starting with the newest: compares each value with the checksum in its batch's record.
 * @param extent `newest`: only as many batches as LevelDB may have lost silently
 * @returns a description of the damage, or undefined
 */
export function findDamage(
  db: CheckedLevel,
  newest: number,
  extent: 'newest' | 'all',
  onProgress?: OnProgress,
): string | undefined {
  const overwritten = new Set<string>();
  const first = readPruned(db).batch;
  let bytes = 0;
  for (let sequence = newest; sequence >= first; sequence--) {
    reportBatches('Checking the data directory', newest - sequence, newest + 1 - first, onProgress);
    if (extent === 'newest' && newest - sequence >= MIN_BATCHES && bytes >= MIN_BYTES) return undefined;
    const checked = checkBatch(db, sequence, overwritten);
    if (typeof checked === 'string') return checked;
    if (checked.record.kind === 'repair') return undefined;
    bytes += checked.bytes;
  }
  return undefined;
}

/**
 * Verifies all batches, for a repair. Skips indexes, since the repair rewrites them.
 * @returns the last batch up to which all kept batches are complete; 0 if the first one isn't
 */
export function lastWholeBatch(db: CheckedLevel, newest: number, onProgress?: OnProgress): number {
  const first = readPruned(db).batch;
  for (let sequence = first; sequence <= newest; sequence++) {
    reportBatches('Looking for the last whole block', sequence - first, newest + 1 - first, onProgress);
    if (typeof checkBatch(db, sequence, undefined) === 'string') return sequence === first ? 0 : sequence - 1;
  }
  return newest;
}

function reportBatches(task: string, done: number, total: number, onProgress: OnProgress | undefined): void {
  onProgress?.({ task, done, total, unit: 'batches' });
}

/**
 * @param overwritten index keys that newer batches wrote; this function adds those of the batch. If absent, indexes aren't compared
 */
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
      const stored = db.read(key);
      if (stored?.checksum !== checksum)
        return `a record of batch ${sequence}, block ${record.head.number}, is lost`;
      bytes += key.length + stored.value.length;
    }
    return { record, bytes };
  } catch (error) {
    // Decoding a damaged record can fail in many ways.
    if (error instanceof DataDirError || error instanceof RangeError)
      return `batch ${sequence}: ${error.message}`;
    throw error;
  }
}
