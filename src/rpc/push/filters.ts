import type { BlockView } from '../../chain/block.ts';
import type { Clock } from '../../clock.ts';
import { DevnetError } from '../../errors.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Feed } from '../../sequencer/feed/feed.ts';
import type { LogFilter } from '../codec/filter.ts';
import { type Hex, hex } from '../codec/hex.ts';
import type { RpcLog } from '../format/log.ts';
import { blockLogs, type LogMatcher, logMatcher, removedLogs } from '../read/logs.ts';
import type { Delivery } from './delivery.ts';

type Filter = {
  /** when it was last polled, milliseconds */
  asked: number;
  /** the changes since */
  changes: (Hex | RpcLog)[];
} & (
  | { readonly kind: 'blocks' | 'transactions' }
  | { readonly kind: 'logs'; readonly wanted: LogFilter; readonly matcher: LogMatcher }
);

export interface FiltersOptions {
  /** milliseconds after which a filter that isn't polled is removed; default 5 minutes, as in geth */
  readonly timeoutMs?: number;
  /** most filters at a time; default 10,000 */
  readonly most?: number;
  /** most changes that a filter keeps, beyond which the oldest are dropped; default 100,000 */
  readonly changes?: number;
}

export interface FiltersDeps {
  readonly feed: Feed;
  readonly mempool: Pick<Mempool, 'onAdd'>;
  /** the machine's clock */
  readonly clock: Clock;
  /** collects the changes; not shared with subscriptions, so that a poll doesn't wait for their notifications */
  readonly delivery: Delivery;
}

/** The filters of `eth_newFilter`, `eth_newBlockFilter` and `eth_newPendingTransactionFilter`, with their changes. */
export class Filters {
  readonly #timeoutMs: number;
  readonly #most: number;
  readonly #changes: number;
  readonly #deps: FiltersDeps;
  readonly #filters = new Map<string, Filter>();
  /** set while there are filters */
  #listeners: Disposable[] = [];
  #count = 0;

  constructor(options: FiltersOptions, deps: FiltersDeps) {
    this.#timeoutMs = options.timeoutMs ?? 5 * 60_000;
    this.#most = options.most ?? 10_000;
    this.#changes = options.changes ?? 100_000;
    this.#deps = deps;
  }

  /** @returns the filter's id */
  addBlocks(): Hex {
    return this.#add({ kind: 'blocks', asked: 0, changes: [] });
  }

  /** @returns the filter's id */
  addTransactions(): Hex {
    return this.#add({ kind: 'transactions', asked: 0, changes: [] });
  }

  /** @returns the filter's id */
  addLogs(wanted: LogFilter): Hex {
    return this.#add({ kind: 'logs', wanted, matcher: logMatcher(wanted), asked: 0, changes: [] });
  }

  /** The changes since the last poll. @throws DevnetError -32000 for an unknown filter */
  async changes(id: string): Promise<readonly (Hex | RpcLog)[]> {
    const filter = this.#find(id);
    await this.#deps.delivery.settled();
    const { changes } = filter;
    filter.changes = [];
    return changes;
  }

  /** The criteria of a log filter. @throws DevnetError -32000 for an unknown filter and for one of another kind */
  wanted(id: string): LogFilter {
    const filter = this.#find(id);
    if (filter.kind !== 'logs') throw notFound();
    return filter.wanted;
  }

  /** @returns whether there was such a filter */
  remove(id: string): boolean {
    const removed = this.#filters.delete(id);
    this.#listen();
    return removed;
  }

  #find(id: string): Filter {
    this.#forgetOld();
    const filter = this.#filters.get(id);
    if (!filter) throw notFound();
    filter.asked = this.#deps.clock.now();
    return filter;
  }

  #add(filter: Filter): Hex {
    this.#forgetOld();
    if (this.#filters.size >= this.#most)
      throw new DevnetError('limitExceeded', { limit: 'the number of filters', max: this.#most });
    const id: Hex = `0x${(++this.#count).toString(16)}`;
    filter.asked = this.#deps.clock.now();
    this.#filters.set(id, filter);
    this.#listen();
    return id;
  }

  /** Removes filters that weren't polled for too long. Needs no timer: it runs before each change is collected. */
  #forgetOld(): void {
    const oldest = this.#deps.clock.now() - this.#timeoutMs;
    for (const [id, { asked }] of this.#filters) if (asked < oldest) this.#filters.delete(id);
    this.#listen();
  }

  #listen(): void {
    const listening = this.#listeners.length > 0;
    if (listening === this.#filters.size > 0) return;
    if (listening) {
      for (const listener of this.#listeners.splice(0)) listener[Symbol.dispose]();
      return;
    }
    const { feed, mempool } = this.#deps;
    this.#listeners = [
      feed.on('sealed', (block) => this.#collect((filter) => ofSealed(filter, block))),
      feed.on('removed', (blocks) =>
        this.#collect((filter) => (filter.kind === 'logs' ? removedLogs(blocks, filter.matcher) : [])),
      ),
      mempool.onAdd(({ hash }) =>
        this.#collect((filter) => (filter.kind === 'transactions' ? [hex(hash)] : [])),
      ),
    ];
  }

  #collect(changesOf: (filter: Filter) => Iterable<Hex | RpcLog | undefined>): void {
    this.#forgetOld();
    const filters = [...this.#filters.values()];
    const most = this.#changes;
    this.#deps.delivery.add(function* () {
      for (const filter of filters) {
        for (const change of changesOf(filter)) {
          if (change !== undefined) filter.changes.push(change);
          // Drop many at a time, because each drop moves the remaining changes.
          if (filter.changes.length > most + 1_024) keepNewest(filter.changes, most);
          yield;
        }
        keepNewest(filter.changes, most);
      }
    });
  }
}

function keepNewest(changes: unknown[], most: number): void {
  if (changes.length > most) changes.splice(0, changes.length - most);
}

function ofSealed(filter: Filter, block: BlockView): readonly (Hex | RpcLog)[] {
  if (filter.kind === 'blocks') return [hex(block.hash)];
  return filter.kind === 'logs' && isInRange(filter.wanted, block) ? blockLogs(block, filter.matcher) : [];
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
