import { DevnetError } from '../errors.ts';
import { type CacheEntry, keyOf } from '../fork-cache/cache-entry.ts';
import type { Entries } from '../fork-cache/entries.ts';
import type { ForkBlock } from '../fork-cache/fork-block.ts';
import { checkAnswer } from './check-answer.ts';
import type { Endpoint, Read, ReadAll } from './endpoint.ts';
import { RpcError } from './rpc-client.ts';
import type { Call } from './transport.ts';
import { BadAnswer } from './wire.ts';

/** A read of immutable data about the fork block or an earlier one, on which blocks depend. */
export interface FactRead<T> extends Read<T> {
  /** a description of the data for the error if it isn't available: `the account 0x...` */
  readonly what: string;
}

export interface CachedEndpointOptions {
  readonly block: ForkBlock;
  /** whether requests to the remote node are forbidden */
  readonly isOffline: boolean;
}

export interface CachedEndpointDeps {
  readonly endpoint: Endpoint;
  /** Caches, searched in this order. All of them receive new entries. */
  readonly entries: readonly Entries[];
}

/** Statistics of the reads from the original chain. */
export interface ForkCounts {
  /** number of requests sent to the remote node, a batch counted once */
  readonly requests: number;
  /** number of values fetched from the remote node */
  readonly fetched: number;
  /** number of values found in the cache */
  readonly cached: number;
}

/** A queued call. */
interface Waiting extends Call {
  /** @returns whether the result is immutable and can be cached; throws BadAnswer */
  readonly check: (result: unknown) => boolean;
  readonly resolve: (entry: CacheEntry) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads immutable data about a fork block and the blocks before it: from the cache, otherwise from the remote node. Requests made within
 * one turn of the event loop are sent as one batch, without duplicates.
 */
export class CachedEndpoint {
  readonly #options: CachedEndpointOptions;
  readonly #endpoint: Endpoint;
  #entries: readonly Entries[];
  readonly #underWay = new Map<string, Promise<CacheEntry>>();
  #waiting: Waiting[] = [];
  #fetched = 0;
  #cached = 0;
  /** keys of the data on which blocks depend */
  readonly #inputs = new Set<string>();
  #hearInput: ((entry: CacheEntry) => void) | undefined;
  #missed: (() => void) | undefined;

  constructor(options: CachedEndpointOptions, deps: CachedEndpointDeps) {
    this.#options = options;
    this.#endpoint = deps.endpoint;
    this.#entries = deps.entries;
  }

  get block(): ForkBlock {
    return this.#options.block;
  }

  get counts(): ForkCounts {
    return { requests: this.#endpoint.requests, fetched: this.#fetched, cached: this.#cached };
  }

  /** All entries that {@link one} has read so far. */
  *inputs(): Generator<CacheEntry> {
    for (const key of this.#inputs) {
      const entry = this.#find(key, false);
      if (entry) yield entry;
    }
  }

  /**
   * Sets the listener of entries that {@link one} reads for the first time, which is called before the data is used; `undefined` removes
   * it.
   */
  onInput(hear: ((entry: CacheEntry) => void) | undefined): void {
    this.#hearInput = hear;
  }

  /** Sets the listener of cache misses of {@link one}: requests that the listener makes are sent in the same batch. */
  onMiss(hear: () => void): void {
    this.#missed = hear;
  }

  /**
   * Fetches uncached values in the background. Errors occur again when the values are needed.
   * @returns number of values that are neither cached nor in flight
   */
  prefetch(reads: readonly FactRead<unknown>[]): number {
    if (this.#options.isOffline) return 0;
    let fetched = 0;
    for (const { method, params, read } of reads) {
      const key = keyOf(method, params);
      if (this.#underWay.has(key) || this.#find(key, false)) continue;
      fetched++;
      const check = (result: unknown) => {
        read(result, 'the answer');
        return true;
      };
      this.#fetch({ method, params, check }).catch(() => {});
    }
    return fetched;
  }

  /** Reads several values like {@link one}. */
  all<const R extends readonly FactRead<unknown>[]>(reads: R): ReadAll<R> | Promise<ReadAll<R>> {
    const values = reads.map((read) => this.one(read));
    // Mapping over a tuple loses its type; each value was decoded by the decoder at its index.
    return (values.some((value) => value instanceof Promise) ? Promise.all(values) : values) as ReadAll<R>;
  }

  /**
   * Reads a value; synchronously if it is cached.
   * @throws DevnetError `remoteFailed`, also for an invalid response, which isn't cached; `notCached` if requests are forbidden
   */
  one<T>(read: FactRead<T>): T | Promise<T> {
    const { method, params, what } = read;
    const known = this.#known(method, params);
    // Even an intact cache entry may be invalid; its value is fetched again then.
    const value = known && this.#taken(read, known);
    if (value) return value.is;
    if (this.#options.isOffline) return quiet(Promise.reject(this.#missing(what)));
    const check = (result: unknown) => {
      read.read(result, 'the answer');
      return checkAnswer(method, params, result);
    };
    const fetching = this.#fetch({ method, params, check });
    // The listener's requests follow this one in the same batch.
    this.#missed?.();
    return quiet(fetching.then((entry) => this.#take(read, entry), this.#fail(method)));
  }

  /**
   * Forwards a call. The result is cached if it is immutable.
   * @throws DevnetError with the remote node's error; otherwise see {@link one}
   */
  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    const known = this.#known(method, params);
    if (known) return known.result;
    if (this.#options.isOffline)
      throw this.#missing(`the answer to ${method}(${params.map(shown).join(', ')})`);
    const check = (result: unknown) => checkAnswer(method, params, result);
    try {
      return (await this.#fetch({ method, params, check })).result;
    } catch (error) {
      throw error instanceof RpcError ? DevnetError.foreign(error) : error;
    }
  }

  /** Fetches data that isn't cached. @throws see {@link one} */
  fetch<T>({ method, params, read, what }: FactRead<T>): Promise<T> {
    if (this.#options.isOffline) return Promise.reject(this.#missing(what));
    const check = (result: unknown) => {
      read(result, 'the answer');
      return false;
    };
    return this.#fetch({ method, params, check }).then(
      ({ result }) => read(result, 'the answer'),
      this.#fail(method),
    );
  }

  /** Computes a value from a response. @throws DevnetError `remoteFailed` if `read` throws BadAnswer */
  checked<T>(method: string, read: () => T): T {
    return this.#endpoint.valueOf({ method, params: [], read }, { result: undefined });
  }

  /** Whether a value is cached and was verified by a Merkle proof. */
  isProved(method: string, params: readonly unknown[]): boolean {
    return this.#find(keyOf(method, params), true) !== undefined;
  }

  #known(method: string, params: readonly unknown[]): CacheEntry | undefined {
    const entry = this.#find(keyOf(method, params), false);
    if (entry) this.#cached++;
    return entry;
  }

  /** Adds entries that were obtained in other ways. */
  add(entries: readonly CacheEntry[]): void {
    for (const one of this.#entries) one.add(entries);
  }

  /** Also stores all entries that {@link one} has read so far, and all further entries, in another cache. */
  keepIn(entries: Entries): void {
    entries.add([...this.inputs()]);
    this.#entries = [entries, ...this.#entries];
  }

  close(): void {
    for (const one of this.#entries) one.close();
  }

  #taken<T>(read: FactRead<T>, known: CacheEntry): { readonly is: T } | undefined {
    try {
      return { is: this.#take(read, known) };
    } catch (error) {
      if (error instanceof BadAnswer) return undefined;
      throw error;
    }
  }

  #take<T>({ method, params, read }: FactRead<T>, entry: CacheEntry): T {
    const value = read(entry.result, 'the answer');
    const key = keyOf(method, params);
    if (!this.#inputs.has(key)) {
      this.#inputs.add(key);
      this.#hearInput?.(entry);
    }
    return value;
  }

  #find(key: string, mustBeProved: boolean): CacheEntry | undefined {
    const [first] = this.#entries;
    for (const one of this.#entries) {
      const entry = one.find(key, mustBeProved);
      if (!entry) continue;
      if (one !== first) first!.add([entry]);
      return entry;
    }
    return undefined;
  }

  #fetch(call: Omit<Waiting, 'resolve' | 'reject'>): Promise<CacheEntry> {
    const key = keyOf(call.method, call.params);
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const fetching = new Promise<CacheEntry>((resolve, reject) => {
      if (this.#waiting.push({ ...call, resolve, reject }) === 1) setImmediate(() => this.#send());
    });
    this.#underWay.set(key, fetching);
    const forget = () => this.#underWay.delete(key);
    fetching.then(forget, forget);
    return fetching;
  }

  #send(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const most = this.#endpoint.mostTogether;
    for (let done = 0; done < waiting.length; done += most)
      void this.#sendSome(waiting.slice(done, done + most));
  }

  /** Each valid result is cached, even if other calls of the batch fail. */
  async #sendSome(calls: readonly Waiting[]): Promise<void> {
    const facts: CacheEntry[] = [];
    const settle: (() => void)[] = [];
    try {
      const answers = await this.#endpoint.send(calls.map(({ method, params }) => ({ method, params })));
      for (const [i, { method, params, check, resolve, reject }] of calls.entries()) {
        const answer = answers[i]!;
        try {
          if ('error' in answer) throw answer.error;
          const read = (result: unknown) => ({ entry: { method, params, result }, isFact: check(result) });
          const { entry, isFact } = this.#endpoint.valueOf({ method, params, read }, answer);
          if (isFact) facts.push(entry);
          this.#fetched++;
          settle.push(() => resolve(entry));
        } catch (error) {
          settle.push(() => reject(error));
        }
      }
      if (facts.length > 0) this.add(facts);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
    for (const end of settle) end();
  }

  #fail(method: string): (error: unknown) => never {
    return (error) => {
      if (!(error instanceof RpcError)) throw error;
      return this.#endpoint.valueOf({ method, params: [], read: () => undefined as never }, { error });
    };
  }

  #missing(what: string): DevnetError {
    const { number, hash, chainId } = this.block;
    return new DevnetError('notCached', { what, number, hash, chainId });
  }
}

function shown(param: unknown): string {
  const text = JSON.stringify(param) ?? '';
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}

/** Some callers never await the promise: without this handler, its rejection would end the process. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
