import { DevnetError } from '../errors.ts';
import { type CacheEntry, keyOf } from '../fork-cache/cache-entry.ts';
import type { Entries } from '../fork-cache/entries.ts';
import type { ForkBlock } from '../fork-cache/fork-block.ts';
import { checkAnswer } from './check-answer.ts';
import type { Endpoint, Read, ReadAll } from './endpoint.ts';
import { RpcError } from './rpc-client.ts';
import type { Call } from './transport.ts';
import { BadAnswer } from './wire.ts';

/** A read of a fact about the fork block or an earlier one, of which blocks are made. */
export interface FactRead<T> extends Read<T> {
  /** what is read, for the error where it can't be had: `the account 0x...` */
  readonly what: string;
}

export interface CachedEndpointOptions {
  readonly block: ForkBlock;
  /** nothing is asked of the other node */
  readonly isOffline: boolean;
}

export interface CachedEndpointDeps {
  readonly endpoint: Endpoint;
  /** What is known without asking, looked for in this order. All of them get what is learnt. */
  readonly entries: readonly Entries[];
}

/** How much was read of the other chain so far. */
export interface ForkCounts {
  /** requests that were sent to the other node, a batch counted once */
  readonly requests: number;
  /** values that were fetched from it */
  readonly fetched: number;
  /** values that were known already */
  readonly cached: number;
}

/** A call that waits to be sent. */
interface Waiting extends Call {
  /** @returns whether the result is a fact, to be kept; throws BadAnswer */
  readonly check: (result: unknown) => boolean;
  readonly resolve: (entry: CacheEntry) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads facts about a fork block, and about the blocks before it, which never change: from what is known, or else from the
 * other node. What is asked for within one turn of the event loop is sent as one batch, and the same thing once.
 */
export class CachedEndpoint {
  readonly #options: CachedEndpointOptions;
  readonly #endpoint: Endpoint;
  #entries: readonly Entries[];
  readonly #underWay = new Map<string, Promise<CacheEntry>>();
  #waiting: Waiting[] = [];
  #fetched = 0;
  #cached = 0;
  /** keys of what blocks were made of */
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

  /** What {@link one} has read so far. */
  *inputs(): Generator<CacheEntry> {
    for (const key of this.#inputs) {
      const entry = this.#find(key, false);
      if (entry) yield entry;
    }
  }

  /** Hears of what {@link one} reads for the first time, before it is used; `undefined` ends that. */
  onInput(hear: ((entry: CacheEntry) => void) | undefined): void {
    this.#hearInput = hear;
  }

  /** Hears when {@link one} has to ask: what is asked for then goes out in the same batch. */
  onMiss(hear: () => void): void {
    this.#missed = hear;
  }

  /**
   * Fetches what isn't known yet, for later. Errors occur again where it is needed.
   * @returns how many values are neither known nor under way
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

  /** Several of {@link one}. */
  all<const R extends readonly FactRead<unknown>[]>(reads: R): ReadAll<R> | Promise<ReadAll<R>> {
    const values = reads.map((read) => this.one(read));
    // Mapping over a tuple loses its type; each value was decoded by the decoder at its index.
    return (values.some((value) => value instanceof Promise) ? Promise.all(values) : values) as ReadAll<R>;
  }

  /**
   * A value, at once where it is known.
   * @throws DevnetError `remoteFailed`, also for an invalid answer, which isn't kept; `notCached` where nobody is to be asked
   */
  one<T>(read: FactRead<T>): T | Promise<T> {
    const { method, params, what } = read;
    const known = this.#known(method, params);
    // A whole line may say nonsense, too: what it should have said is fetched.
    const value = known && this.#taken(read, known);
    if (value) return value.is;
    if (this.#options.isOffline) return quiet(Promise.reject(this.#missing(what)));
    const check = (result: unknown) => {
      read.read(result, 'the answer');
      return checkAnswer(method, params, result);
    };
    const fetching = this.#fetch({ method, params, check });
    // What it asks for goes out behind this, in the same batch.
    this.#missed?.();
    return quiet(fetching.then((entry) => this.#take(read, entry), this.#fail(method)));
  }

  /**
   * Passes a call on. The answer is kept where it is a fact.
   * @throws DevnetError as the other node answered; otherwise as {@link one}
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

  /** Fetches what isn't kept. @throws as {@link one} */
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

  /** A value that follows from an answer. @throws DevnetError `remoteFailed` where `read` throws BadAnswer */
  checked<T>(method: string, read: () => T): T {
    return this.#endpoint.valueOf({ method, params: [], read }, { result: undefined });
  }

  /** Whether a value is known, and had a Merkle proof. */
  isProved(method: string, params: readonly unknown[]): boolean {
    return this.#find(keyOf(method, params), true) !== undefined;
  }

  #known(method: string, params: readonly unknown[]): CacheEntry | undefined {
    const entry = this.#find(keyOf(method, params), false);
    if (entry) this.#cached++;
    return entry;
  }

  /** Adds facts that were found out otherwise. */
  add(entries: readonly CacheEntry[]): void {
    for (const one of this.#entries) one.add(entries);
  }

  /** Keeps what was read so far, and all that is from now on, there as well. */
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

  /** Whatever becomes of the answers of others, each valid one is kept. */
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

/** Some callers never await the promise: its rejection must not end the process. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
