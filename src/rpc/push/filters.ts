import type { BlockView } from '../../chain/block.ts';
import type { Clock } from '../../clock.ts';
import { DevnetError } from '../../errors.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Log } from '../../protocol/types.ts';
import type { Feed } from '../../sequencer/feed/feed.ts';
import type { LogFilter } from '../codec/filter.ts';
import { type Hex, hex } from '../codec/hex.ts';
import { formatLog, type RpcLog } from '../format/log.ts';
import { blockLogs, type LogMatcher, logMatcher, removedLogs } from '../read/logs.ts';
import type { Delivery } from './delivery.ts';

interface Polled {
  /** when it was last polled, milliseconds */
  asked: number;
}

/** A filter of hashes, which all filters of its kind share. */
interface HashFilter extends Polled {
  readonly hashes: RecentHashes;
  /** running number in {@link RecentHashes} of the first hash that it hasn't returned yet */
  next: number;
}

interface LogFilterState extends Polled {
  readonly wanted: LogFilter;
  readonly matcher: LogMatcher;
  /** logs since the last poll */
  changes: RpcLog[];
}

type Filter = HashFilter | LogFilterState;

export interface FiltersOptions {
  /** milliseconds after which a filter that isn't polled is removed; default 5 minutes, as in geth */
  readonly timeoutMs?: number;
  /** maximum number of filters; default 10,000 */
  readonly most?: number;
  /** maximum number of changes that a filter keeps; above it the oldest are dropped; default 100,000 */
  readonly changes?: number;
}

export interface FiltersDeps {
  readonly feed: Feed;
  readonly mempool: Pick<Mempool, 'onAdd'>;
  /** the machine's clock */
  readonly clock: Clock;
  /** collects logs; separate from that of subscriptions, so that a poll doesn't wait for their notifications */
  readonly delivery: Delivery;
}

/** The filters of `eth_newFilter`, `eth_newBlockFilter` and `eth_newPendingTransactionFilter`, with their changes. */
export class Filters {
  readonly #timeoutMs: number;
  readonly #most: number;
  readonly #changes: number;
  readonly #deps: FiltersDeps;
  /** the filter that was polled longest ago is first */
  readonly #filters = new Map<string, Filter>();
  readonly #blocks: RecentHashes;
  readonly #transactions: RecentHashes;
  /** the log filters among {@link #filters}; a new array after each change, because collecting logs takes a while */
  #logFilters: readonly LogFilterState[] = [];
  /** set while there are filters */
  #listeners: Disposable[] = [];
  #count = 0;

  constructor(options: FiltersOptions, deps: FiltersDeps) {
    this.#timeoutMs = options.timeoutMs ?? 5 * 60_000;
    this.#most = options.most ?? 10_000;
    this.#changes = options.changes ?? 100_000;
    this.#deps = deps;
    this.#blocks = new RecentHashes(this.#changes);
    this.#transactions = new RecentHashes(this.#changes);
  }

  /** @returns the filter's id */
  addBlocks(): Hex {
    return this.#add({ asked: 0, hashes: this.#blocks, next: this.#blocks.end });
  }

  /** @returns the filter's id */
  addTransactions(): Hex {
    return this.#add({ asked: 0, hashes: this.#transactions, next: this.#transactions.end });
  }

  /** @returns the filter's id */
  addLogs(wanted: LogFilter): Hex {
    return this.#add({ asked: 0, wanted, matcher: logMatcher(wanted), changes: [] });
  }

  /** Returns the changes since the last poll. @throws DevnetError -32000 for an unknown filter */
  async changes(id: string): Promise<readonly (Hex | RpcLog)[]> {
    const filter = this.#find(id);
    if ('hashes' in filter) {
      const { hashes, next } = filter;
      filter.next = hashes.end;
      return hashes.since(next);
    }
    await this.#deps.delivery.settled();
    const { changes } = filter;
    filter.changes = [];
    return changes;
  }

  /** Returns the criteria of a log filter. @throws DevnetError -32000 for an unknown filter, and for a filter of another kind */
  wanted(id: string): LogFilter {
    const filter = this.#find(id);
    if ('hashes' in filter) throw notFound();
    return filter.wanted;
  }

  /** @returns whether there was such a filter */
  remove(id: string): boolean {
    const removed = this.#filters.delete(id);
    if (removed) this.#changed();
    return removed;
  }

  #find(id: string): Filter {
    this.#forgetOld();
    const filter = this.#filters.get(id);
    if (!filter) throw notFound();
    filter.asked = this.#deps.clock.now();
    this.#filters.delete(id);
    this.#filters.set(id, filter);
    return filter;
  }

  #add(filter: Filter): Hex {
    this.#forgetOld();
    if (this.#filters.size >= this.#most)
      throw new DevnetError('limitExceeded', { limit: 'the number of filters', max: this.#most });
    const id: Hex = `0x${(++this.#count).toString(16)}`;
    filter.asked = this.#deps.clock.now();
    this.#filters.set(id, filter);
    this.#changed();
    return id;
  }

  /** Removes filters that weren't polled for too long. It needs no timer, because it runs before each change is collected. */
  #forgetOld(): void {
    const oldest = this.#deps.clock.now() - this.#timeoutMs;
    let isAnyOld = false;
    for (const [id, { asked }] of this.#filters) {
      if (asked >= oldest) break;
      this.#filters.delete(id);
      isAnyOld = true;
    }
    if (isAnyOld) this.#changed();
  }

  /** Must be called when a filter was added or removed. */
  #changed(): void {
    const filters = [...this.#filters.values()];
    this.#logFilters = filters.filter((filter) => 'wanted' in filter);
    const listening = this.#listeners.length > 0;
    if (listening === filters.length > 0) return;
    if (listening) {
      for (const listener of this.#listeners.splice(0)) listener[Symbol.dispose]();
      this.#blocks.clear();
      this.#transactions.clear();
      return;
    }
    const { feed, mempool } = this.#deps;
    this.#listeners = [
      feed.on('sealed', (block) => {
        this.#forgetOld();
        this.#blocks.add(block.hash);
        // Filters share the formatted logs, because there may be thousands of filters.
        const format = remembering(formatLog);
        this.#collect(({ wanted, matcher }) =>
          isInRange(wanted, block) ? blockLogs(block, matcher, { format }) : [],
        );
      }),
      feed.on('removed', (blocks) => this.#collect(({ matcher }) => removedLogs(blocks, matcher))),
      mempool.onAdd(({ hash }) => {
        this.#forgetOld();
        this.#transactions.add(hash);
      }),
    ];
  }

  #collect(changesOf: (filter: LogFilterState) => Iterable<RpcLog | undefined>): void {
    const filters = this.#logFilters;
    if (filters.length === 0) return;
    const most = this.#changes;
    this.#deps.delivery.add(function* () {
      for (const filter of filters) {
        for (const change of changesOf(filter)) {
          if (change !== undefined) filter.changes.push(change);
          // Drops many changes at a time, because each drop moves the remaining ones.
          if (filter.changes.length > most + 1_024) keepNewest(filter.changes, most);
          yield;
        }
        keepNewest(filter.changes, most);
      }
    });
  }
}

/** The newest hashes of blocks or of transactions, shared by all filters; each hash has a running number. */
class RecentHashes {
  readonly #most: number;
  readonly #hashes: Hex[] = [];
  /** running number of the first one */
  #begin = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Running number of the next hash. */
  get end(): number {
    return this.#begin + this.#hashes.length;
  }

  add(hash: Uint8Array): void {
    // Drops many hashes at a time, because each drop moves the remaining ones.
    if (this.#hashes.push(hex(hash)) > this.#most + 1_024) this.#drop(this.#hashes.length - this.#most);
  }

  since(number: number): Hex[] {
    const first = Math.max(number, this.end - this.#most) - this.#begin;
    return this.#hashes.slice(first);
  }

  clear(): void {
    this.#drop(this.#hashes.length);
  }

  #drop(count: number): void {
    this.#hashes.splice(0, count);
    this.#begin += count;
  }
}

function keepNewest(changes: unknown[], most: number): void {
  if (changes.length > most) changes.splice(0, changes.length - most);
}

/** Makes a function that formats each log only once. */
function remembering(format: typeof formatLog): typeof formatLog {
  const known = new Map<Log, RpcLog>();
  return (log, ...place) => {
    let found = known.get(log);
    if (!found) {
      found = format(log, ...place);
      known.set(log, found);
    }
    return found;
  };
}

/** Whether a new block is in the filter's range. Only numbers limit the range; tags don't. */
function isInRange({ blockHash, fromBlock, toBlock }: LogFilter, { header }: BlockView): boolean {
  if (blockHash) return false;
  if (fromBlock && 'number' in fromBlock && header.number < fromBlock.number) return false;
  return !(toBlock && 'number' in toBlock && header.number > toBlock.number);
}

function notFound(): DevnetError {
  return new DevnetError('server', { reason: 'filter not found' });
}
