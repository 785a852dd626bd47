import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { BadStatus, failureOf, isShortOfState, oneLine, TimedOut } from './failure.ts';
import { httpTransport } from './http-transport.ts';
import { type Rate, RateLimit } from './rate-limit.ts';
import { socketTransport } from './socket-transport.ts';
import { type Answer, type Call, ForkMoved, Refused, type Transport } from './transport.ts';
import { BadAnswer, readBytes, writeBytes, writeQuantity } from './wire.ts';

export interface EndpointOptions {
  /** `http://`, `https://`, `ws://` or `wss://` */
  readonly url: string;
  /** URLs of other nodes of the same chain, which are used in turn when a node fails */
  readonly fallbacks?: readonly string[];
  /** HTTP headers, sent with each request or with the upgrade to WebSocket; to the host of `url` only */
  readonly headers: Readonly<Record<string, string>>;
  /** milliseconds until an attempt times out */
  readonly timeout: number;
  /** attempts after the first one */
  readonly retries: number;
  /** milliseconds before the first retry; doubles with each further one, up to {@link MAX_WAIT_MS} */
  readonly backoff: number;
  /** Whether the user has set `retries` or `backoff`: then they also apply to the first calls to a node at HTTP 429. */
  readonly isPatient?: boolean;
  /** absent: unlimited */
  readonly rate?: Rate | undefined;
}

export interface EndpointDeps {
  /** wall time */
  readonly clock: Clock;
  /** Called before each attempt after the first, with the reason for it. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** Information about a retry. */
export interface Retry {
  /** why the last attempt failed, in one line */
  readonly reason: string;
  /** number of the next attempt, from 2 on */
  readonly attempt: number;
  readonly attempts: number;
  /** milliseconds until the next attempt */
  readonly wait: number;
}

/** A call and the decoder of its result, which throws BadAnswer when the result isn't valid. */
export interface Read<T> extends Call {
  readonly read: (value: unknown, name: string) => T;
}

export type ReadAll<R extends readonly Read<unknown>[]> = {
  -readonly [K in keyof R]: ReturnType<R[K]['read']>;
};

/** A block that a node must have, as proof that it has the right chain. */
export interface Landmark {
  readonly number: bigint;
  /** 32 bytes */
  readonly hash: Uint8Array;
}

/** One of the configured nodes. */
interface Target {
  readonly url: string;
  readonly transport: Transport;
  /** settles when the node has been checked for the landmark */
  checked: Promise<void> | undefined;
}

/** milliseconds */
const MAX_WAIT_MS = 30_000;
/** Milliseconds before the first retry of a node's first call at HTTP 429; doubles. The five waits sum up to 620 ms. */
const QUICK_WAIT = 20;
/** Number of retries of a node's first call at HTTP 429. */
const QUICK_RETRIES = 5;
/** Maximum pause that a node may ask for, in milliseconds; for a longer one the request fails. */
const MAX_PAUSE_MS = 120_000;
/** Maximum number of calls in a batch. Providers accept at least 100, or no batches at all. */
const BATCH = 100;

/**
 * JSON-RPC client of a remote node, or of several that have the same chain. Without connection, on timeout, and at HTTP 429 or 5xx it asks
 * the next node, or tries again.
 */
export class Endpoint {
  readonly #clock: Clock;
  readonly #onRetry: EndpointDeps['onRetry'];
  #options: EndpointOptions;
  #targets: readonly Target[];
  /** index of the node in use */
  #at = 0;
  #limit: RateLimit | undefined;
  #landmark: Landmark | undefined;
  /** Time in milliseconds on the clock before which no request is sent, because a node has asked for a pause. */
  #resumes = 0;
  #requests = 0;
  /** functions that abort the attempts and waits in progress */
  readonly #ends = new Set<() => void>();
  #closed = false;

  constructor(options: EndpointOptions, deps: EndpointDeps) {
    this.#options = options;
    this.#clock = deps.clock;
    this.#onRetry = deps.onRetry;
    this.#targets = targetsOf(options, deps);
    this.#limit = options.rate && new RateLimit(options.rate, deps);
  }

  /** Uses another node of the same chain from now on. */
  redirect(options: EndpointOptions): void {
    for (const { transport } of this.#targets) transport.close();
    this.#options = options;
    this.#targets = targetsOf(options, { clock: this.#clock });
    this.#at = 0;
  }

  /**
   * From now on accepts results only from nodes that have this block.
   * @param isChecked whether the node in use is known to have it
   */
  require(landmark: Landmark, isChecked: boolean): void {
    this.#landmark = landmark;
    for (const target of this.#targets) target.checked = undefined;
    if (isChecked) this.#targets[this.#at]!.checked = Promise.resolve();
  }

  /** Checks now whether the node has the block of {@link require}. @throws DevnetError `remoteFailed` if it hasn't */
  async confirm(): Promise<void> {
    const target = this.#targets[this.#at]!;
    try {
      await this.#check(target);
    } catch (error) {
      throw this.#failed('eth_getBlockByNumber', failureOf(error).reason, error, target);
    }
  }

  /** Accepts results from any node again. */
  forget(): void {
    this.#landmark = undefined;
    for (const target of this.#targets) target.checked = undefined;
  }

  /** The URL as configured, without user name and password. */
  get url(): string {
    return this.#options.url.replace(/\/\/[^/?#]*@/, '//');
  }

  /** milliseconds */
  get backoff(): number {
    return this.#options.backoff;
  }

  /** Maximum number of calls in one request. */
  get mostTogether(): number {
    return Math.min(BATCH, this.#limit?.mostTogether ?? BATCH);
  }

  /** Number of requests sent, a batch counted once. */
  get requests(): number {
    return this.#requests;
  }

  /** @throws DevnetError with the remote node's error, or `remoteFailed` if the node didn't respond */
  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const [answer] = await this.send([{ method, params }]);
    if ('error' in answer!) throw DevnetError.foreign(answer.error);
    return answer!.result;
  }

  /** Sends calls whose results are needed together. @throws DevnetError `remoteFailed`, also if one result is invalid */
  async all<const R extends readonly Read<unknown>[]>(calls: R): Promise<ReadAll<R>> {
    return this.#readAll(calls, await this.send(calls));
  }

  /**
   * Sends the first calls to a node. They are retried only if that may help: not if no server listens at the URL, or if the node rejects
   * them.
   * @throws see {@link all}
   */
  async first<const R extends readonly Read<unknown>[]>(calls: R): Promise<ReadAll<R>> {
    return this.#readAll(calls, await this.#ask(calls, true));
  }

  /** Sends calls. @returns a response for each @throws DevnetError `remoteFailed` */
  send(calls: readonly Call[]): Promise<readonly Answer[]> {
    return this.#ask(calls, false);
  }

  /** The value of a response. @throws DevnetError `remoteFailed` if it is an error, or isn't valid */
  valueOf<T>({ method, read }: Read<T>, answer: Answer): T {
    if ('error' in answer) throw this.#failed(method, oneLine(answer.error.message), answer.error);
    try {
      return read(answer.result, 'the answer');
    } catch (error) {
      throw error instanceof BadAnswer ? this.#failed(method, error.message, error) : error;
    }
  }

  /** Closes the connection; requests in flight fail. */
  close(): void {
    this.#closed = true;
    for (const end of [...this.#ends]) end();
    for (const { transport } of this.#targets) transport.close();
  }

  #readAll<const R extends readonly Read<unknown>[]>(calls: R, answers: readonly Answer[]): ReadAll<R> {
    const results = answers.map((answer, i) => this.valueOf(calls[i]!, answer));
    // Mapping over a tuple loses its type; each result was decoded by the decoder at its index.
    return results as ReadAll<R>;
  }

  /** @param isFirst whether the node has not responded to anything yet */
  async #ask(calls: readonly Call[], isFirst: boolean): Promise<readonly Answer[]> {
    let { retries, backoff: wait } = this.#options;
    let isQuick = false;
    /** number of nodes that have failed since the last wait */
    let failed = 0;
    const [{ method }] = calls as [Call];
    for (let attempt = 0; ; ) {
      const at = this.#at;
      const targets = this.#targets;
      const target = targets[at]!;
      try {
        if (this.#closed) throw new Refused('it is asked no more');
        await this.#check(target);
        const answers = await this.#attempt(target, calls);
        const { error } = (answers.find(isShort) ?? {}) as { error?: Error };
        if (!error || failed + 1 >= targets.length) return answers;
        this.#next(targets, at);
        failed++;
      } catch (error) {
        const { reason, mayPass, isTooMany, pause } = failureOf(error);
        if (!this.#closed && ++failed < targets.length) {
          this.#next(targets, at);
          continue;
        }
        const isFinal = error instanceof Refused || (!mayPass && (isFirst || error instanceof BadStatus));
        if (isFinal || this.#closed) throw this.#failed(method, reason, error, target);
        if (isFirst && isTooMany && !this.#options.isPatient && !isQuick) {
          isQuick = true;
          wait = Math.min(wait, QUICK_WAIT);
          retries = Math.min(retries, attempt + QUICK_RETRIES);
        }
        const isOver = attempt >= retries || pause > MAX_PAUSE_MS;
        if (isOver)
          throw this.#failed(
            method,
            attempt === 0 ? reason : `${reason}, after ${attempt + 1} attempts (--retries)`,
            error,
            target,
          );
        if (pause > 0) this.#resumes = Math.max(this.#resumes, this.#clock.now() + pause);
        const next = Math.max(wait, pause);
        this.#onRetry?.({ reason, attempt: attempt + 2, attempts: retries + 1, wait: next });
        await this.#pause(next);
        this.#next(targets, at);
        failed = 0;
        attempt++;
        wait = Math.min(2 * wait, MAX_WAIT_MS);
      }
    }
  }

  /** Switches to the next node, unless another call has already done so. */
  #next(targets: readonly Target[], at: number): void {
    if (this.#targets === targets && this.#at === at) this.#at = (at + 1) % targets.length;
  }

  /** Checks once whether a node has the landmark. @throws ForkMoved if it has another block there, or none */
  #check(target: Target): Promise<void> | undefined {
    const landmark = this.#landmark;
    if (!landmark) return undefined;
    target.checked ??= this.#meets(target, landmark).catch((error) => {
      target.checked = undefined;
      throw error;
    });
    return target.checked;
  }

  async #meets(target: Target, { number, hash }: Landmark): Promise<void> {
    const call = { method: 'eth_getBlockByNumber', params: [writeQuantity(number), false] };
    const [answer] = await this.#attempt(target, [call]);
    if ('error' in answer!) throw answer.error;
    const { result } = answer!;
    if (result === null) throw new ForkMoved(`it has no block ${number}, at which the chain was forked`);
    let found: string;
    try {
      found = writeBytes(readBytes((result as { hash?: unknown }).hash, 'hash', 32));
    } catch (error) {
      throw new Refused(`its block ${number} has no hash: ${(error as Error).message}`);
    }
    if (found !== writeBytes(hash))
      throw new ForkMoved(
        `its block ${number} has the hash ${found}, and the chain was forked at ${writeBytes(hash)}: it is another chain, ` +
          'or the block was replaced (--no-fork-cache leaves the cache out)',
      );
  }

  async #attempt({ transport }: Target, calls: readonly Call[]): Promise<readonly Answer[]> {
    await this.#turn(calls);
    const { timeout } = this.#options;
    const ended = new AbortController();
    const end = () => ended.abort(new Refused('it is asked no more'));
    if (this.#closed) end();
    const timer = this.#clock.after(timeout, () => ended.abort(new TimedOut(timeout)));
    this.#ends.add(end);
    try {
      ended.signal.throwIfAborted();
      return await transport.send(calls, ended.signal, () => {
        this.#requests++;
      });
    } catch (error) {
      throw ended.signal.aborted ? ended.signal.reason : error;
    } finally {
      timer[Symbol.dispose]();
      this.#ends.delete(end);
    }
  }

  /** Waits until the calls may be sent, according to the rate limit and to pauses that the node has asked for. */
  async #turn(calls: readonly Call[]): Promise<void> {
    const paused = this.#resumes - this.#clock.now();
    if (paused > 0) await this.#pause(paused);
    const wait = this.#limit?.take(calls) ?? 0;
    if (wait > 0) await this.#pause(wait);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        timer[Symbol.dispose]();
        this.#ends.delete(end);
        resolve();
      };
      const timer = this.#clock.after(ms, end);
      this.#ends.add(end);
    });
  }

  /** Names only the host: the rest of the URL may contain an API key. */
  #failed(method: string, reason: string, cause: unknown, target = this.#targets[this.#at]!): DevnetError {
    const error = new DevnetError('remoteFailed', { host: new URL(target.url).host, method, reason });
    error.cause = cause;
    return error;
  }
}

function isShort(answer: Answer): boolean {
  return 'error' in answer && isShortOfState(answer.error);
}

function targetsOf(options: EndpointOptions, deps: { clock: Clock }): Target[] {
  const { host } = new URL(options.url);
  return [options.url, ...(options.fallbacks ?? [])].map((url) => {
    // A header may contain an API key, which is only for that host.
    const headers = new URL(url).host === host ? options.headers : {};
    const isSocket = /^ws/.test(url);
    const transport = isSocket ? socketTransport({ url, headers }, deps) : httpTransport({ url, headers });
    return { url, transport, checked: undefined };
  });
}
