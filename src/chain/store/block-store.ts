import { equalsBytes } from '@ethereumjs/util';
import type { EncodedEntries } from '../../state/encoded-entries.ts';
import { latin1Key } from '../../state/hex-key.ts';
import { Generations } from '../../state/node-cache.ts';
import type { Awaitable } from '../../state/view.ts';
import { type Block, bareBlock, type Header } from '../block.ts';
import { type LogTerm, termsOf } from '../log-terms.ts';
import type { Head } from './batch-record.ts';
import { BatchWriter, type Change, type Meta } from './batch-writer.ts';
import { BlockCache } from './block-cache.ts';
import { blockEntries, encodedOf, patchedHead, stateEntries } from './block-entries.ts';
import type { CheckedLevel, Entry } from './checked-level.ts';
import { claimDirectory, raiseFormat } from './data-dir.ts';
import { genesisRootOf } from './genesis-root.ts';
import { decodeTransactionEntry, keyOf, numberKey, PREFIX, type TransactionEntry } from './keys.ts';
import { type LoadedChain, loadInto } from './loaded-chain.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import { prunedMeta, readPruned, readUnswept } from './pruner/pruned.ts';
import { Pruner } from './pruner/pruner.ts';
import type { RepairReport } from './repair.ts';
import { Reservations } from './reservations.ts';
import { StoreCopier, type StorePart } from './store-copier.ts';
import { StoreMeta } from './store-meta.ts';
import type {
  PatchBatch,
  ReservedBatch,
  StateBatch,
  StoreBatch,
  StoreDeps,
  StoreOptions,
} from './store-options.ts';
import { StoredBlocks } from './stored-blocks.ts';
import { StoredLogs } from './stored-logs.ts';
import { createTemporaryDirectory } from './temporary-dir.ts';

export type { PatchBatch, ReservedBatch, StoreBatch, StoreDeps, StoreOptions };

/** The data that a block adds to the store. */
interface Adding {
  readonly block: Block;
  readonly stateRoot: Uint8Array;
  readonly terms: readonly LogTerm[];
  readonly entries: Entry[];
  readonly encoded: readonly EncodedEntries[];
  readonly meta: Meta | undefined;
  /** whether the block will be read soon */
  readonly cached: boolean;
}

/** The positions of a new block's transactions are cached if it has at most this many. */
const MAX_POSITIONS = 16;

/**
 * Stores sealed blocks and state in one LevelDB, with a write-ahead log. Every change is atomic; once its promise resolves,
 * the change survives a crash of the process. Reads are synchronous and see the chain as of the last resolved change.
 * Changes run one after the other, in the order of the calls. Reads throw DataDirError `damaged` if a record was changed.
 */
export class BlockStore {
  readonly #db: CheckedLevel;
  /** reads blocks by hash without a cache, for scans of many blocks that are read only once */
  readonly stored: StoredBlocks;
  readonly #cache = new BlockCache();
  /** cached positions of transactions */
  readonly #positions = new Generations<string, TransactionEntry>(16_384, () => 1);
  /** index of the blocks that have logs */
  readonly logs: StoredLogs;
  /** the reserved blocks, which are computed lazily instead of stored */
  readonly reservations: Reservations;
  readonly #onClosed: () => void;
  readonly #temporary: boolean;
  readonly #writer: BatchWriter;
  readonly #pruner: Pruner;
  readonly #copier: StoreCopier;
  /** number of the highest block that was ever stored, even if it was rolled back; -1 before the first */
  #highest: bigint;
  /** whether a block's view may read another state than its header's */
  #mayBePatched: boolean;
  /** Whether the database contained blocks when it was opened. */
  readonly reopened: boolean;
  readonly meta: StoreMeta;
  /** The report of the repair at opening, if there was one. */
  readonly repaired: RepairReport | undefined;

  /**
   * @param options.remove deletes the directory; for a temporary one only
   */
  private constructor(
    options: StoreOptions & { database: OpenDatabase; remove?: () => void },
    deps: StoreDeps,
  ) {
    const { database } = options;
    const { db, lastBatch, sequence, newest, genesis } = database;
    this.#db = db;
    this.#highest = database.highest;
    this.#mayBePatched = newest !== undefined;
    this.#writer = new BatchWriter(
      { sequence, head: newest?.head, genesis },
      { db, lastBatch: options.remove ? undefined : lastBatch },
    );
    this.reservations = new Reservations({ db });
    const { keptRoots } = deps;
    const pruned = readPruned(this.#db);
    this.#pruner = new Pruner(
      { keep: options.keepBlocks, pruned, unswept: readUnswept(this.#db, pruned) },
      {
        db: this.#db,
        writer: this.#writer,
        roots: (kept) => [...this.reservations.rootsFrom(kept.first), ...(keptRoots?.(kept) ?? [])],
        onError: deps.onPruneError ?? (() => {}),
        onProgress: deps.onPrune,
      },
    );
    this.#copier = new StoreCopier({ db, writer: this.#writer });
    this.reopened = newest !== undefined;
    this.meta = new StoreMeta({ db, writer: this.#writer });
    this.repaired = database.repaired;
    this.#temporary = options.remove !== undefined;
    this.#onClosed = () => {
      lastBatch.close();
      options.remove?.();
    };
    this.stored = new StoredBlocks({
      db,
      decodeTransaction: deps.decodeTransaction,
      reservations: this.reservations,
    });
    this.logs = new StoredLogs(
      { persistent: !this.#temporary, reopened: newest?.head, repaired: this.repaired !== undefined },
      {
        db,
        writer: this.#writer,
        stored: this.stored,
        hashOf: (number) => this.hashOf(number),
        first: () => this.first,
        reservedAt: (number) => this.reservations.runAt(number),
      },
    );
  }

  /**
   * Opens a data directory, or creates it if it is missing or empty. The caller must then commit the genesis block first, like
   * any other block.
   * @throws DataDirError, see {@link DataDirErrorCode}
   */
  static async open(dir: string, options: StoreOptions, deps: StoreDeps): Promise<BlockStore> {
    const { begins = false } = options;
    claimDirectory(dir, options.identity, options.createdBy, { begins });
    const { fsync = false, repair = false, ...others } = options;
    const database = await openDatabase(dir, { ...others, fsync, repair }, deps);
    raiseFormat(dir);
    return new BlockStore({ ...options, database }, deps);
  }

  /**
   * Like `open`, in a temporary directory that `close` deletes. Also deletes the temporary directories of killed
   * processes.
   */
  static async openTemporary(options: StoreOptions, deps: StoreDeps): Promise<BlockStore> {
    const temporary = createTemporaryDirectory();
    try {
      claimDirectory(temporary.path, options.identity, options.createdBy, { flush: false });
      // In a temporary directory, only pruning needs the batch records.
      const records = options.keepBlocks !== undefined;
      const database = await openDatabase(
        temporary.path,
        {
          fsync: false,
          repair: false,
          scratch: true,
          records,
        },
        { disk: deps.disk },
      );
      return new BlockStore({ ...options, database, remove: () => temporary.remove() }, deps);
    } catch (error) {
      temporary.remove();
      throw error;
    }
  }

  /** Whether the genesis block hasn't been committed yet. */
  get isEmpty(): boolean {
    return this.#writer.head === undefined;
  }

  /** Number of the genesis block, the first block that was committed; 0 before that. */
  get genesis(): bigint {
    return this.#writer.genesis;
  }

  /** Number of the first block that is stored completely. Below it, only the genesis block is certainly stored. */
  get first(): bigint {
    return this.#pruner.first;
  }

  /** Number of the first block whose state is stored, besides the genesis block's. */
  get states(): bigint {
    return this.#pruner.states;
  }

  /** Root of the state with which the chain began. */
  get genesisRoot(): Uint8Array {
    return genesisRootOf(this.#db, this.genesis);
  }

  /** Resolves with the error of a failed write. After that no change is written any more; reads still work. */
  get failed(): Promise<unknown> {
    return this.#writer.failed;
  }

  /** Continues pruning in the background, if an earlier process hasn't finished it. */
  goOnPruning(): void {
    this.#pruner.consider();
  }

  /** Waits until all blocks that are due for pruning have been removed. */
  pruned(): Promise<void> {
    return this.#pruner.settled();
  }

  /** @throws Error before the genesis block is committed */
  get head(): Head {
    const { head } = this.#writer;
    if (!head) throw new Error('the store has no blocks yet');
    return head;
  }

  /**
   * Appends a block to the head. Synchronous if no other change is in progress and the write doesn't wait for the disk.
   * @throws Error if the block isn't the head's child, or rejects with it
   */
  commit(batch: StoreBatch): Awaitable<void> {
    return this.#writer.writeSoon('block', () => this.#changeOf(batch, this.#writer.head));
  }

  /**
   * Restarts the chain with another genesis block. Not for a directory that is opened again later, because it would then
   * contain another chain.
   */
  begin(batch: StoreBatch): Promise<void> {
    return this.#writer.writeAll('block', () => {
      const { done, ...change } = this.#changeOf(batch, undefined);
      const begun = () => {
        this.logs.begin();
        this.#cache.forgetAbove(-1n);
        this.reservations.wentBack(-1n);
        done?.();
        this.#pruner.begin();
        this.#copier.restart();
      };
      return [{ ...change, done: begun, isGenesis: true }];
    });
  }

  /** Writes all gathered changes to LevelDB, so that {@link copy} doesn't have to. */
  settled(): Promise<void> {
    return this.#db.settled();
  }

  /** See {@link StoreCopier.part}. */
  async copy(dir: string, options: { whole: boolean }): Promise<StorePart> {
    const { first, states } = this;
    const genesis = this.hashOf(this.genesis)!;
    return { ...(await this.#copier.part(dir, options)), genesis, extent: { first, states } };
  }

  /**
   * Appends blocks and reservations, each on top of the previous one, atomically. @throws like {@link commit}
   */
  commitAll(batches: readonly (StoreBatch | ReservedBatch)[]): Promise<void> {
    return this.#writer.writeAll('block', () => {
      let head = this.#writer.head;
      return batches.map((batch) => {
        const change =
          'block' in batch
            ? this.#changeOf(batch, head, batch === batches.at(-1))
            : this.#reserving(batch, head!);
        head = change.head;
        return change;
      });
    });
  }

  /** The change that adds reserved blocks. @throws Error if the first block isn't the parent's child */
  #reserving(batch: ReservedBatch, parent: Head): Change {
    const { reservation } = batch;
    const { first, last, lastHash: hash, stateRoot } = reservation;
    if (first !== parent.number + 1n || !isSame(reservation.header(first).parentHash, parent.hash))
      throw new Error(`block ${first} doesn't follow the head, block ${parent.number}`);
    const record = this.reservations.recordOf(reservation);
    const head = { number: last, hash, stateRoot };
    return {
      kind: 'reservation',
      entries: [...record.entries, [numberKey(last), hash], ...stateEntries(batch)],
      encoded: encodedOf(batch),
      head,
      meta: { ...this.logs.metaAt(head), ...record.meta, ...batch.meta },
      done: () => {
        if (last > this.#highest) this.#highest = last;
        this.reservations.added(reservation);
        this.#pruner.consider();
      },
    };
  }

  /** @param cached whether the block will be read soon */
  #changeOf(batch: StoreBatch, parent: Head | undefined, cached = true): Change {
    const { stateRoot, meta } = batch;
    const { records } = batch.block;
    const block = bareBlock(batch.block);
    const terms = termsOf(block.receipts);
    const entries = [...blockEntries(batch.block), ...stateEntries(batch)];
    const encoded = records ? [records, ...encodedOf(batch)] : encodedOf(batch);
    return this.#adding({ block, stateRoot, terms, entries, encoded, meta, cached }, parent);
  }

  /** The change that adds a block to the chain. @throws Error if the block isn't the child of `parent` */
  #adding(
    { block, stateRoot, terms, entries, encoded, meta, cached }: Adding,
    parent: Head | undefined,
  ): Change {
    const { hash, header } = block;
    const { number } = header;
    if (parent && (number !== parent.number + 1n || !isSame(header.parentHash, parent.hash)))
      throw new Error(`block ${number} doesn't follow the head, block ${parent.number}`);
    // The same block may have been stored before, with a patched state.
    const stored = this.#mayBePatched && number <= this.#highest;
    const patched = stored ? this.#db.get(keyOf(PREFIX.stateRoot, hash)) : undefined;
    if (!isSame(patched ?? header.stateRoot, stateRoot)) {
      entries.push([keyOf(PREFIX.stateRoot, hash), stateRoot]);
      this.#mayBePatched = true;
    }
    const logs = this.logs.recordOf(block, terms);
    entries.push(...logs.entries);
    const done = () => {
      if (number > this.#highest) this.#highest = number;
      if (cached) {
        this.#cache.add(block);
        this.#cache.addCanonical(block);
        this.#addPositions(block);
      }
      this.logs.added(number, terms);
      this.#pruner.consider();
    };
    const head = { number, hash, stateRoot };
    return { entries, encoded, head, meta: logs.meta ? { ...logs.meta, ...meta } : meta, done };
  }

  /** Caches transaction positions: clients request the receipt soon after sending a transaction. */
  #addPositions({ hash: blockHash, header: { number }, transactions }: Block): void {
    if (transactions.length > MAX_POSITIONS) return;
    for (let index = 0; index < transactions.length; index++)
      this.#positions.set(latin1Key(transactions[index]!.hash), { number, blockHash, index });
  }

  /** Fills an empty store, atomically. */
  load(chain: LoadedChain): Promise<void> {
    return loadInto(this.#writer, chain, (pruned) => {
      this.#pruner.set(pruned);
      this.#highest = chain.blocks.at(-1)!.head.number;
      this.#mayBePatched = true;
      for (const { head, terms } of chain.blocks) this.logs.added(head.number, terms);
    });
  }

  /** Stores dev writes (such as `anvil_setBalance`) to the head: its view reads the new state from now on. */
  commitPatch(batch: PatchBatch): Awaitable<void> {
    this.#mayBePatched = true;
    const { meta } = batch;
    return this.#writer.writeSoon('patch', () => ({ ...patchedHead(batch, this.head), meta }));
  }

  /**
   * Rolls the chain back to a block (revert, rollback, reorg). The cost doesn't depend on the number of removed blocks.
   * @param options.stateRoot root of the state that the block's view must read; default: the current one
   * @param options.added the entries of that state that aren't stored yet
   * @throws Error if there is no such block
   */
  setHead(
    number: bigint,
    options: { stateRoot?: Uint8Array; added?: StateBatch; meta?: Meta } = {},
  ): Awaitable<void> {
    return this.#writer.writeSoon('head', () => this.#goingBack(number, options));
  }

  /**
   * Replaces the blocks above `number` with others (reorg), atomically.
   * @param batches the new blocks, each on top of the previous one
   * @param options see {@link setHead}
   * @throws Error if there is no block `number`, or the first new block isn't its child
   */
  replaceAbove(
    number: bigint,
    batches: readonly StoreBatch[],
    options: { stateRoot?: Uint8Array; added?: StateBatch } = {},
  ): Promise<void> {
    return this.#writer.writeAll('block', () => {
      const back: Change = { ...this.#goingBack(number, options), kind: 'head' };
      let head = back.head;
      const added = batches.map((batch) => {
        const change = this.#changeOf(batch, head, batch === batches.at(-1));
        head = change.head;
        return change;
      });
      return [back, ...added];
    });
  }

  /** The change that rolls back to a block, see {@link setHead}. */
  #goingBack(number: bigint, options: { stateRoot?: Uint8Array; added?: StateBatch; meta?: Meta }): Change {
    const hash = this.#isKept(number) ? this.hashOf(number) : undefined;
    if (!hash) throw new Error(`there is no block ${number} to go back to`);
    const current = this.stateRootOf(number)!;
    const { stateRoot = current, added } = options;
    const entries = added ? stateEntries(added) : [];
    if (!equalsBytes(stateRoot, current)) {
      entries.push([keyOf(PREFIX.stateRoot, hash), stateRoot]);
      this.#mayBePatched = true;
    }
    const pruned = this.#pruner.extentAt(number);
    const meta = {
      ...options.meta,
      ...(pruned && prunedMeta(pruned)),
      ...this.logs.metaAt({ number, hash }),
      ...this.reservations.metaAt(number),
    };
    const done = () => {
      this.logs.wentBack(number);
      this.reservations.wentBack(number);
      this.#cache.forgetAbove(number);
      this.#pruner.wentBack(number, pruned);
    };
    return { entries, encoded: added && encodedOf(added), head: { number, hash, stateRoot }, meta, done };
  }

  /** A canonical block by number or hash; undefined when there is none. */
  getBlock(ref: bigint | Uint8Array): Block | undefined {
    if (typeof ref === 'bigint') {
      if (!this.#isKept(ref)) return undefined;
      const known = this.#cache.at(ref);
      if (known) return known;
    }
    const hash = typeof ref === 'bigint' ? this.hashOf(ref) : ref;
    if (!hash) return undefined;
    const block =
      this.#cache.get(hash) ??
      (typeof ref === 'bigint' ? this.#reserved(ref) : undefined) ??
      this.#readBlock(hash);
    if (!block || !this.#isKept(block.header.number) || !this.#isCanonical(block.header.number, hash))
      return undefined;
    this.#cache.addCanonical(block);
    return block;
  }

  /**
   * Only the header, without the cost of decoding transactions. Also available for the 256 blocks below {@link first}, as
   * are their hashes.
   */
  header(number: bigint): Header | undefined {
    const { head } = this.#writer;
    const reservation = head && number <= head.number ? this.reservations.at(number) : undefined;
    if (reservation) return reservation.header(number);
    const hash = this.hashOf(number);
    return hash && this.stored.header(hash);
  }

  hashOf(number: bigint): Uint8Array | undefined {
    // Entries above the head belong to rolled-back blocks; later blocks overwrite them.
    const { head } = this.#writer;
    if (!head || number < this.genesis || number > head.number) return undefined;
    return (
      this.#cache.at(number)?.hash ??
      this.reservations.at(number)?.hashOf(number) ??
      this.#db.get(numberKey(number))
    );
  }

  /**
   * Root of the state that the view of a canonical block reads.
   * @param header the block's header, if known
   */
  stateRootOf(number: bigint, header?: Header): Uint8Array | undefined {
    const { head } = this.#writer;
    // While a patch is being written, the disk may already have the new root, but readers must not see it yet.
    if (head?.number === number) return head.stateRoot;
    const hash = this.hashOf(number);
    if (!hash) return undefined;
    const known = header ?? this.#cache.at(number)?.header;
    return known && !this.#mayBePatched ? known.stateRoot : this.stored.rootOf(hash, known);
  }

  /** The position of a transaction in the canonical chain. */
  findTransaction(hash: Uint8Array): { number: bigint; index: number } | undefined {
    const name = latin1Key(hash);
    let entry = this.#positions.get(name);
    if (!entry || !this.#isPlaced(entry)) {
      const found = this.#db.get(keyOf(PREFIX.transaction, hash));
      entry = found && decodeTransactionEntry(found);
      if (!entry || !this.#isPlaced(entry)) return undefined;
      this.#positions.set(name, entry);
    }
    return { number: entry.number, index: entry.index };
  }

  /** A node of the state tries, by its keccak256. The caller may keep the bytes. */
  getNode(hash: Uint8Array): Uint8Array | undefined {
    return this.#db.get(keyOf(PREFIX.node, hash));
  }

  /** The address or slot whose keccak256 is a key of the state tries. */
  getPreimage(hash: Uint8Array): Uint8Array | undefined {
    return this.#db.get(keyOf(PREFIX.preimage, hash));
  }

  getCode(hash: Uint8Array): Uint8Array | undefined {
    return this.#db.get(keyOf(PREFIX.code, hash));
  }

  /** Prepares some memory, so that the first changes don't have to wait for it. @returns whether there is more to do */
  prepare(): boolean {
    return this.#db.prepare();
  }

  /** Closes the store after the changes in progress are written. */
  async close(): Promise<void> {
    await Promise.all([this.#pruner.stop(), this.logs.stop()]);
    this.#copier.restart();
    await this.#writer.settled();
    await this.#db.close(this.#temporary);
    this.#onClosed();
  }

  #isPlaced({ number, blockHash }: TransactionEntry): boolean {
    return this.#isKept(number) && this.#isCanonical(number, blockHash);
  }

  #isKept(number: bigint): boolean {
    return number >= this.first || number === this.genesis;
  }

  #isCanonical(number: bigint, hash: Uint8Array): boolean {
    const canonical = this.hashOf(number);
    return canonical !== undefined && equalsBytes(canonical, hash);
  }

  #reserved(number: bigint): Block | undefined {
    const block = this.reservations.at(number)?.block(number);
    if (block) this.#cache.add(block);
    return block;
  }

  #readBlock(hash: Uint8Array): Block | undefined {
    const block = this.stored.block(hash);
    if (block) this.#cache.add(block);
    else {
      // A repair may leave parts of a block that it dropped, and pruning parts of old blocks: no damage.
      const number = this.stored.header(hash)?.number;
      if (number !== undefined && this.#isKept(number) && this.#isCanonical(number, hash))
        throw this.#db.damaged(`block ${number} has lost its contents`);
    }
    return block;
  }
}

/** Compares by reference first: for a block that was made here, both are the same object. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one === other || equalsBytes(one, other);
}
