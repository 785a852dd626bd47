import type { OnProgress } from '../../progress.ts';
import { type BatchRecord, decodeBatchRecord } from './batch-record.ts';
import { FrameReader } from './change-frame.ts';
import { CheckedLevel, type CheckedLevelOptions } from './checked-level.ts';
import { layoutOf } from './data-dir.ts';
import { accessError, DataDirError, damaged } from './data-dir-error.ts';
import type { Disk } from './disk.ts';
import { fillCopy, type StoreCopy } from './fill-copy.ts';
import { batchKey, PREFIX, readUint64 } from './keys.ts';
import { LastBatchFile } from './last-batch-file.ts';
import { findDamagedLog } from './log-file.ts';
import { type RepairReport, repair } from './repair.ts';
import { findDamage, lastWholeBatch, newestBatch, readBatch } from './verify.ts';
import { readLogs, WriteAheadLog } from './write-ahead-log.ts';

/** A database that has been checked, ready to be read and written. */
export interface OpenDatabase {
  readonly db: CheckedLevel;
  readonly lastBatch: LastBatchFile;
  /** number of the newest batch; 0 = empty */
  readonly sequence: number;
  /** absent in an empty database */
  readonly newest?: BatchRecord;
  /** number of the genesis block, which is never removed; absent in an empty database */
  readonly genesis?: bigint;
  /** number of the highest stored block, even if it was rolled back; -1 when there is none */
  readonly highest: bigint;
  /** the report of a repair, if there was one */
  readonly repaired?: RepairReport;
}

export interface OpenOptions extends Omit<CheckedLevelOptions, 'path' | 'dir' | 'create'> {
  readonly repair: boolean;
  /** content for the directory, which must be empty */
  readonly copy?: StoreCopy | undefined;
}

export interface OpenDeps {
  readonly disk?: Disk | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Opens the database of a claimed data directory and checks it: the last announced batch must exist, and the newest batches
 * must match their checksums. If they don't, `repair` rolls back to the last complete batch.
 * @throws DataDirError `locked`, `damaged`, `inaccessible`
 */
export async function openDatabase(
  dir: string,
  options: OpenOptions,
  deps: OpenDeps = {},
): Promise<OpenDatabase> {
  try {
    return await open(dir, options, deps);
  } catch (error) {
    throw accessError(dir, error);
  }
}

async function open(
  dir: string,
  options: OpenOptions,
  { disk, onProgress }: OpenDeps,
): Promise<OpenDatabase> {
  const layout = layoutOf(dir);
  const lastBatch = new LastBatchFile({ path: layout.lastBatch, dir }, { disk });
  let damage: DataDirError | undefined;
  let announced = 0;
  try {
    announced = lastBatch.read();
  } catch (error) {
    damage = tolerate(error, options.repair);
  }
  const damagedLog = findDamagedLog(layout.database);
  if (damagedLog) damage ??= tolerate(damaged(dir, `${damagedLog} is corrupt`), options.repair);
  // If a batch was announced, there was a database: creating an empty one would hide its loss.
  const create = announced === 0 && !damage;
  const log = new WriteAheadLog({ paths: layout.logs, fsync: options.fsync }, { disk });
  const connect = () =>
    new CheckedLevel(
      { ...options, path: layout.database, dir, create },
      options.scratch || options.room === 0 ? { disk } : { log, disk },
    );

  const tell = (task: string) => onProgress?.({ task });
  let db = connect();
  try {
    try {
      tell('Opening the data directory');
      await db.open();
      await catchUp(db, layout.logs);
      damage ??= await check(db, dir, announced, { thorough: options.repair, onProgress });
    } catch (error) {
      damage = tolerate(error, options.repair);
    }
    let repaired: RepairReport | undefined;
    if (damage) {
      if (!options.repair) throw damage;
      await db.close();
      tell('Rebuilding the database');
      await db.rebuild();
      db = connect();
      await db.open();
      await catchUp(db, layout.logs);
      // LevelDB now has the usable changes of the logs, and the others don't belong to the repaired chain.
      log.remove();
      tell('Repairing the data directory');
      repaired = await repair(db, dir, announced, onProgress);
      lastBatch.write(await newestBatch(db));
    }
    log.remove();
    if (options.copy) await fillCopy(db, options.copy);
    const sequence = await newestBatch(db);
    const record = db.get(batchKey(sequence));
    const first = await db.endKey(PREFIX.number);
    const highest = await db.endKey(PREFIX.number, { reverse: true });
    return {
      db,
      lastBatch,
      sequence,
      highest: highest ? readUint64(highest, 1) : -1n,
      ...(record && { newest: decodeBatchRecord(record) }),
      ...(first && { genesis: readUint64(first, 1) }),
      ...(repaired && { repaired }),
    };
  } catch (error) {
    lastBatch.close();
    await db.close();
    throw error;
  }
}

/** Writes the changes to LevelDB that a killed process left in the write-ahead logs only. */
async function catchUp(db: CheckedLevel, paths: readonly string[]): Promise<void> {
  const logs = readLogs(paths);
  if (logs.length === 0) return;
  const before = await newestBatch(db);
  let newest = before;
  for (const { bytes, frames } of logs) {
    const readers = frames.map(({ from }) => new FrameReader(bytes, from));
    const start = readers.findIndex(({ last }) => last > newest);
    const first = readers[start];
    if (!first) continue;
    // Otherwise earlier changes are lost, or an older version of the program, without logs, has written other ones.
    if (first.first !== newest + 1) return;
    if (newest === before && !first.follows(newest === 0 ? undefined : readBatch(db, newest)?.head)) return;
    await db.fill(bytes, { from: frames[start]!.from, to: frames.at(-1)!.to });
    newest = readers.at(-1)!.last;
  }
}

async function check(
  db: CheckedLevel,
  dir: string,
  announced: number,
  { thorough, onProgress }: { thorough: boolean; onProgress: OnProgress | undefined },
): Promise<DataDirError | undefined> {
  const newest = await newestBatch(db);
  if (newest < announced) return damaged(dir, `the last ${announced - newest} batches are lost`);
  let damage = findDamage(db, newest, thorough ? 'all' : 'newest', onProgress);
  if (thorough && lastWholeBatch(db, newest, onProgress) < newest) damage ??= 'older blocks are not whole';
  return damage === undefined ? undefined : damaged(dir, damage);
}

/**
 * Returns damage that a repair may fix.
 * @throws the error, when it isn't damage or no repair was requested
 */
function tolerate(error: unknown, repairing: boolean): DataDirError {
  if (repairing && error instanceof DataDirError && error.code === 'damaged') return error;
  throw error;
}
