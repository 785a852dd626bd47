import { bytesToHex, equalsBytes } from '@ethereumjs/util';
import type { OnProgress } from '../../progress.ts';
import { encodeBatchRecord, HEAD_BYTES, type Head, writeHead } from './batch-record.ts';
import { decodeTransactionHashes } from './block-codec.ts';
import type { CheckedLevel, Entry } from './checked-level.ts';
import { DataDirError } from './data-dir-error.ts';
import { batchKey, encodeTransactionEntry, keyOf, metaKey, numberKey, PREFIX, sequenceOf } from './keys.ts';
import { prunedMeta, readPruned } from './pruner/pruned.ts';
import { type PlaceRecord, placesEntry, readReservation } from './reservations.ts';
import { lastWholeBatch, newestBatch, readBatch, wholeBatch } from './verify.ts';

/** The result of a repair, and the data that it dropped. */
export interface RepairReport {
  /** the head after the repair */
  readonly head: Head;
  /** number of the newest readable head before the repair; later ones may have been lost without a trace */
  readonly headBefore?: bigint;
  /** number of dropped batches (blocks, dev writes, rollbacks) */
  readonly batches: number;
  /** names of metadata values that were unreadable and are lost */
  readonly meta: readonly string[];
}

/**
 * Rolls back to the last batch up to which all batches are complete, in one atomic write: drops later batches, rewrites the
 * indexes for the chain as of that batch, and removes unreadable records. Intact data of dropped blocks stays in the
 * database, unreachable.
 * @param announced number of the last announced batch, if known
 * @throws DataDirError `damaged` when not even the first batch is complete
 */
export async function repair(
  db: CheckedLevel,
  dir: string,
  announced: number,
  onProgress?: OnProgress,
): Promise<RepairReport> {
  const newest = await newestBatch(db);
  const target = lastWholeBatch(db, newest, onProgress);
  if (target === 0)
    throw new DataDirError('damaged', dir, 'damaged, and no whole block is left to go back to');

  const headBefore = readable(() => readBatch(db, newest))?.head.number;
  const chain = canonicalChain(db, target);
  const { number, hash, stateRoot } = chain.at(-1)!;
  const head = { number, hash, stateRoot };
  const pruned = readPruned(db);
  const puts = chain.flatMap((block) => indexEntries(db, block));
  const places = chain.flatMap(({ number, reserved }): PlaceRecord[] =>
    reserved ? [{ hash: bytesToHex(reserved.hash), last: `${number}` }] : [],
  );
  const entry = placesEntry(places);
  if (places.length > 0 || readable(() => db.get(entry[0]))) puts.push(entry);
  // The first block may be another one than in the dropped batches.
  for (const [name, value] of Object.entries(
    pruned.batch > 1 ? prunedMeta({ ...pruned, first: chain[0]!.number }) : {},
  ))
    puts.push([metaKey(name), new TextEncoder().encode(JSON.stringify(value))]);
  const dropped: Uint8Array[] = [];
  const lostMeta: string[] = [];
  let seen = 0;
  for await (const key of db.keys()) {
    onProgress?.({ task: 'Looking for unreadable records', done: seen++, unit: 'records' });
    if (key[0] === PREFIX.batch && sequenceOf(key) > target) dropped.push(key);
    else if (!readable(() => db.get(key))) {
      dropped.push(key);
      if (key[0] === PREFIX.meta) lostMeta.push(new TextDecoder().decode(key.subarray(1)));
    }
  }
  const headBytes = new Uint8Array(HEAD_BYTES);
  writeHead('repair', head, headBytes, 0);
  const written = puts.map((entry) => ({ key: entry[0], checksum: db.checksumOf(entry) }));
  puts.push([batchKey(target + 1), encodeBatchRecord(headBytes, written)]);
  await db.write(puts, dropped);
  return {
    head,
    ...(headBefore !== undefined && { headBefore }),
    batches: Math.max(newest, announced) - target,
    meta: lostMeta,
  };
}

/** A block of the chain. If it is reserved, represents all blocks of its reservation up to this one. */
interface Canonical extends Head {
  /** of its reservation: hash of the last block, and number of the first block */
  readonly reserved?: { readonly hash: Uint8Array; readonly first: bigint } | undefined;
}

/**
 * The canonical blocks as of a batch, with the state roots that their views read: the heads of all batches, without
 * those that were rolled back.
 */
function canonicalChain(db: CheckedLevel, target: number): Canonical[] {
  const chain: Canonical[] = [];
  for (let { batch: sequence } = readPruned(db); sequence <= target; sequence++) {
    const { kind, head } = wholeBatch(db, sequence);
    const reservation = kind === 'reservation' ? readReservation(db, head.hash) : undefined;
    let reserved = reservation && { hash: head.hash, first: reservation.first };
    while (chain.length > 0 && chain.at(-1)!.number >= head.number) {
      const gone = chain.pop()!.reserved;
      if (gone && gone.first <= head.number) reserved = gone;
    }
    chain.push({ ...head, reserved });
  }
  return chain;
}

/** The index entries of a canonical block that are missing or wrong. */
function indexEntries(db: CheckedLevel, { number, hash, stateRoot }: Head): Entry[] {
  // A reserved block has no body.
  const body = db.get(keyOf(PREFIX.body, hash));
  const entries: Entry[] = [
    [numberKey(number), hash],
    [keyOf(PREFIX.stateRoot, hash), stateRoot],
    ...(body ? decodeTransactionHashes(body) : []).map(
      (transaction, index): Entry => [
        keyOf(PREFIX.transaction, transaction),
        encodeTransactionEntry({ blockHash: hash, number, index }),
      ],
    ),
  ];
  return entries.filter(([key, value]) => {
    const stored = readable(() => db.get(key));
    return !stored || !equalsBytes(stored, value);
  });
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DataDirError || error instanceof RangeError) return undefined;
    throw error;
  }
}
