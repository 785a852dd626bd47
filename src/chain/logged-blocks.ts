import { isEmptyBloom } from '../protocol/bloom.ts';
import { Generations } from '../state/node-cache.ts';
import type { Awaitable } from '../state/view.ts';
import { type Block, type Header, logCountOf, type Receipt, type Transaction } from './block.ts';
import type { TermGroups } from './log-terms.ts';
import type { LoggedBlock, LoggedBlocks, ReservedRun } from './refs.ts';
import type { BlockStore } from './store/block-store.ts';

/** Maximum number of logs in the cache, of about 2 KB each, including their formatted text. */
const MAX_LOGS = 16_384;

interface Deps {
  readonly store: Pick<BlockStore, 'logs' | 'hashOf' | 'stored' | 'reservations'>;
  /** See `Chain.timeOf`. */
  readonly timeOf: (header: Header) => { timestampMs?: bigint };
}

/** Reads the store's blocks that have logs. Caches the most recently read ones, separately from complete blocks. */
export class ReadLoggedBlocks implements LoggedBlocks {
  readonly #deps: Deps;
  readonly #cache = new Generations<number, LoggedBlock>(
    MAX_LOGS,
    ({ receipts }) => 1 + receipts.reduce((sum, receipt) => sum + logCountOf(receipt), 0),
  );
  /** value of {@link removals} for which the cache is valid */
  #removals = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get removals(): number {
    return this.#deps.store.logs.removals;
  }

  find(
    from: bigint,
    last: { readonly number: bigint; readonly hash: Uint8Array },
    groups: TermGroups,
  ): Awaitable<readonly number[] | undefined> {
    return this.#deps.store.logs.find(from, last, groups);
  }

  /** Must be called with each block that was added to the chain: caches blocks with logs, which are likely to be read soon. */
  added({ header, hash, receipts, transactions, timestampMs }: Block): void {
    if (isEmptyBloom(header.logsBloom)) return;
    const hashes = transactions.map((transaction) => ({ hash: transaction.hash }));
    const block = {
      header,
      hash,
      receipts,
      transactions: hashes,
      ...(timestampMs !== undefined && { timestampMs }),
    };
    this.#current().add(Number(header.number), block);
  }

  read(number: number): LoggedBlock | undefined {
    const cached = this.#current().get(number);
    if (cached) return cached;
    const { store, timeOf } = this.#deps;
    const hash = store.hashOf(BigInt(number));
    const header = hash && store.stored.header(hash);
    if (!header) return undefined;
    const block = new LazyReceipts({ header, hash, ...timeOf(header) }, store.stored, () => {
      this.#cache.add(number, block);
    });
    return block;
  }

  reservedAt(number: bigint): ReservedRun | undefined {
    return this.#deps.store.reservations.runAt(number);
  }

  /** The cache; emptied first if blocks were removed from the chain. */
  #current(): Generations<number, LoggedBlock> {
    if (this.#removals !== this.removals) {
      this.#cache.clear();
      this.#removals = this.removals;
    }
    return this.#cache;
  }
}

/** Reads receipts and transaction hashes lazily: for many blocks the header shows that they aren't needed. */
class LazyReceipts implements LoggedBlock {
  readonly header: Header;
  readonly hash: Uint8Array;
  readonly timestampMs?: bigint;
  readonly #stored: BlockStore['stored'];
  readonly #onReceipts: () => void;
  #receipts: readonly Receipt[] | undefined;
  #transactions: readonly Pick<Transaction, 'hash'>[] | undefined;

  constructor(
    { header, hash, timestampMs }: Pick<LoggedBlock, 'header' | 'hash' | 'timestampMs'>,
    stored: BlockStore['stored'],
    onReceipts: () => void,
  ) {
    this.header = header;
    this.hash = hash;
    if (timestampMs !== undefined) this.timestampMs = timestampMs;
    this.#stored = stored;
    this.#onReceipts = onReceipts;
  }

  get receipts(): readonly Receipt[] {
    if (!this.#receipts) {
      this.#receipts = this.#whole(this.#stored.receipts(this.hash));
      this.#onReceipts();
    }
    return this.#receipts;
  }

  get transactions(): readonly Pick<Transaction, 'hash'>[] {
    this.#transactions ??= this.#whole(this.#stored.transactionHashes(this.hash)).map((hash) => ({ hash }));
    return this.#transactions;
  }

  #whole<T>(part: T | undefined): T {
    if (part === undefined) throw new Error(`block ${this.header.number} has lost its contents`);
    return part;
  }
}
