import { bytesToHex, equalsBytes } from '@ethereumjs/util';
import { isEmptyBloom } from '../../protocol/bloom.ts';
import { giveWay, turns } from '../../turns.ts';
import type { Block } from '../block.ts';
import { type LogTerm, type TermGroups, termsOf } from '../log-terms.ts';
import type { ReservedRun } from '../refs.ts';
import type { Head } from './batch-record.ts';
import type { BatchWriter, Meta } from './batch-writer.ts';
import type { CheckedLevel, Entry } from './checked-level.ts';
import { keyOf, metaKey, PREFIX, readUint64, uint64 } from './keys.ts';
import { LogIndex, MAX_TERMS } from './log-index.ts';
import type { StoredBlocks } from './stored-blocks.ts';

const NAME = 'logs';
/** The progress of the log records (the last covered block) is stored with each block that has logs, and at least this often. */
const COVERED_EVERY = 1_024n;
/** Number of records that are read or written in one step. */
const RUN = 1_024;
/** A search over fewer blocks doesn't wait until the records are read. */
const SMALL = 1_024n;

/** The data that is stored with a block for searches of its logs. */
interface LogRecord {
  readonly entries: readonly Entry[];
  readonly meta?: Meta;
}

const NO_RECORD: LogRecord = { entries: [] };

export interface StoredLogsOptions {
  /** whether the database may be opened again later, so that records must be written */
  readonly persistent: boolean;
  /** the head of a database that had blocks when it was opened */
  readonly reopened: Head | undefined;
  /** whether a repair may have removed records */
  readonly repaired: boolean;
}

export interface StoredLogsDeps {
  readonly db: CheckedLevel;
  readonly writer: BatchWriter;
  readonly stored: StoredBlocks;
  /** hash of a canonical block */
  readonly hashOf: (number: bigint) => Uint8Array | undefined;
  /** number of the first block that is stored completely */
  readonly first: () => bigint;
  /** the run of reserved blocks that contains the block */
  readonly reservedAt: (number: bigint) => ReservedRun | undefined;
}

/**
 * Finds blocks that have logs with an address or a topic. Each block with logs has a record of their terms, written with the
 * block. In memory, all records are one {@link LogIndex}, which is read lazily. After opening, records that are missing because
 * an older version of the program wrote the block are added in the background. Records of removed blocks stay: at worst, a
 * search reads a block without a match.
 */
export class StoredLogs {
  readonly #deps: StoredLogsDeps;
  readonly #persistent: boolean;
  /** the blocks that were added since the database was opened; all blocks once the earlier records were read */
  #index = new LogIndex();
  #ready: boolean;
  /** whether every block has its record */
  #covered: boolean;
  /** number of the newest block that existed at opening and still exists */
  #oldest: bigint;
  /** number of the first block that may lack a record */
  readonly #from: bigint;
  #loading: Promise<void> | undefined;
  #stopped = false;
  #removals = 0;

  constructor({ persistent, reopened, repaired }: StoredLogsOptions, deps: StoredLogsDeps) {
    this.#deps = deps;
    this.#persistent = persistent;
    this.#ready = reopened === undefined;
    this.#oldest = reopened?.number ?? -1n;
    this.#from = reopened && !repaired ? this.#uncovered() : 0n;
    this.#covered = this.#from > this.#oldest;
    // An error is reported by each call that needs the records.
    if (!this.#covered) this.load().catch(() => {});
  }

  /** Grows when blocks are removed: a number may then refer to another block. */
  get removals(): number {
    return this.#removals;
  }

  /** The data that must be stored with a block. */
  recordOf({ header: { number }, hash }: Block, terms: readonly LogTerm[]): LogRecord {
    if (!this.#persistent) return NO_RECORD;
    const isDue = terms.length > 0 || number % COVERED_EVERY === 0n;
    if (!isDue) return NO_RECORD;
    return { entries: logEntries({ number, hash }, terms), meta: this.metaAt({ number, hash }) };
  }

  /** Metadata which says that all blocks up to the new head have their records; empty if they don't. */
  metaAt(head: Pick<Head, 'number' | 'hash'>): Meta {
    return this.#persistent && this.#covered ? coveredMeta(head) : {};
  }

  /** Must be called when a block has been written. */
  added(number: bigint, terms: readonly LogTerm[]): void {
    if (terms.length > 0) this.#index.add(Number(number), terms, Number(this.#deps.first()));
  }

  /** Must be called after a rollback to a block. */
  wentBack(number: bigint): void {
    this.#removals++;
    this.#index.removeAbove(Number(number));
    if (number < this.#oldest) this.#oldest = number;
  }

  /** Must be called when another genesis block has replaced the complete chain. */
  begin(): void {
    this.wentBack(-1n);
    this.#ready = true;
  }

  /**
   * Finds the blocks that may have logs with a term of each group. Returns a promise if the records must be read first.
   * @param last the last block to search; must be sealed
   * @returns their numbers, ascending; `undefined` if `last` isn't in the chain any more
   */
  find(
    from: bigint,
    last: Pick<Head, 'number' | 'hash'>,
    groups: TermGroups,
  ): readonly number[] | undefined | Promise<readonly number[] | undefined> {
    if (!this.#ready && last.number - from >= SMALL)
      return this.load().then(() => {
        if (!this.#ready) throw new Error('the store is closed');
        return this.find(from, last, groups);
      });
    const hash = this.#deps.hashOf(last.number);
    if (!hash || !equalsBytes(hash, last.hash)) return undefined;
    if (this.#ready) return this.#index.find(Number(from), Number(last.number), groups);
    return Array.from({ length: Number(last.number - from) + 1 }, (_, i) => Number(from) + i);
  }

  /** Stops reading records. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loading?.catch(() => {});
  }

  /** Number of the first block that may lack a record. */
  #uncovered(): bigint {
    const { db, hashOf } = this.#deps;
    const bytes = db.get(metaKey(NAME));
    if (!bytes) return 0n;
    const { number, hash } = JSON.parse(new TextDecoder().decode(bytes)) as { number: number; hash: string };
    // Another hash means that a version of the program that doesn't write records has replaced this block.
    const canonical = hashOf(BigInt(number));
    return canonical && bytesToHex(canonical) === hash ? BigInt(number) + 1n : 0n;
  }

  /** Reads the records of all blocks, unless that was done before. @throws the database's errors */
  load(): Promise<void> {
    this.#loading ??= this.#ready ? Promise.resolve() : this.#read();
    return this.#loading;
  }

  /** Reads the records of the blocks that existed at opening, and writes the missing ones. */
  async #read(): Promise<void> {
    // Lets the node start first.
    await turns.pause();
    const { writer } = this.#deps;
    const index = new LogIndex();
    await this.#readRecords(index);
    if (!this.#covered) {
      const entries = await this.#makeRecords(index);
      // For a few blocks without logs, checking them again at the next opening costs less than a write at each opening.
      const isNew = entries.length > 0 || this.#oldest - this.#from > COVERED_EVERY;
      if (isNew)
        await writer.writeAll('meta', () =>
          this.#stopped ? [] : [{ entries, head: writer.head!, meta: coveredMeta(writer.head!) }],
        );
      this.#covered = !this.#stopped;
    }
    if (this.#stopped || this.#ready) return;
    // Synchronous from here, so that no block is added or removed in between.
    index.removeAbove(Number(this.#oldest));
    index.append(this.#index);
    this.#index = index;
    this.#ready = true;
  }

  async #readRecords(index: LogIndex): Promise<void> {
    const { db, first } = this.#deps;
    let number = -1;
    let terms: LogTerm[] = [];
    let isKnown = true;
    const add = () => number >= 0 && index.add(number, isKnown ? terms : []);
    for await (const run of db.entryRuns(logsKey(first()), logsKey(this.#from), RUN)) {
      if (this.#stopped) return;
      for (const [key, value] of run) {
        const next = Number(readUint64(key, 1));
        // Several blocks may have the same number, all except one of which were removed: their terms are merged.
        if (next !== number) {
          add();
          number = next;
          terms = [];
          isKnown = true;
        }
        terms.push(...decodeTerms(value));
        isKnown &&= value.length > 0;
      }
      await giveWay();
    }
    add();
  }

  /** @returns the records that aren't written yet */
  async #makeRecords(index: LogIndex): Promise<Entry[]> {
    const { stored, hashOf, writer, first, reservedAt } = this.#deps;
    let entries: Entry[] = [];
    const start = this.#from > first() ? this.#from : first();
    for (let number = start; number <= this.#oldest && !this.#stopped; number++) {
      await giveWay();
      const reserved = reservedAt(number);
      if (reserved) {
        number = reserved.last;
        continue;
      }
      const hash = hashOf(number);
      const header = hash && stored.header(hash);
      if (!header || isEmptyBloom(header.logsBloom)) continue;
      const terms = termsOf(stored.receipts(hash) ?? []);
      if (terms.length === 0) continue;
      index.add(Number(number), terms);
      entries.push(...logEntries({ number, hash }, terms));
      if (entries.length < RUN) continue;
      const run = entries;
      entries = [];
      await writer.writeAll('meta', () => [{ entries: run, head: writer.head! }]);
    }
    return entries;
  }
}

/** The record of a block with logs: its terms, 4 bytes each; an empty value if there are too many terms. */
export function logEntries(
  { number, hash }: Pick<Head, 'number' | 'hash'>,
  terms: readonly LogTerm[],
): Entry[] {
  if (terms.length === 0) return [];
  const value = Buffer.alloc(terms.length > MAX_TERMS ? 0 : terms.length * 4);
  const view = new DataView(value.buffer, value.byteOffset, value.length);
  if (value.length > 0) terms.forEach((term, i) => void view.setUint32(i * 4, term));
  return [[logsKey(number, hash), value]];
}

/** Metadata which says that all blocks up to this one have their log records. */
export function coveredMeta({ number, hash }: Pick<Head, 'number' | 'hash'>): Meta {
  return { [NAME]: { number: Number(number), hash: bytesToHex(hash) } };
}

function decodeTerms(value: Uint8Array): LogTerm[] {
  const view = new DataView(value.buffer, value.byteOffset, value.length);
  return Array.from({ length: value.length / 4 }, (_, i) => view.getUint32(i * 4));
}

/** The key of a block's record; without a hash, the lower bound of all keys of that block number. */
function logsKey(number: bigint, hash?: Uint8Array): Uint8Array {
  // Contains a part of the hash, so that no record overwrites another block's.
  const key = Buffer.alloc(hash ? 16 : 8);
  key.set(uint64(number));
  if (hash) key.set(hash.subarray(0, 8), 8);
  return keyOf(PREFIX.logs, key);
}
