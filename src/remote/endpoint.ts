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
  /** other nodes of the same chain, which are asked in turn where that one fails */
  readonly fallbacks?: readonly string[];
  /** HTTP headers, sent with each request or with the upgrade to WebSocket; to the host of `url` only */
  readonly headers: Readonly<Record<string, string>>;
  /** milliseconds until an attempt times out */
  readonly timeout: number;
  /** attempts after the first one */
  readonly retries: number;
  /** milliseconds before the first retry; doubles with each further one, up to {@link LONGEST_WAIT} */
  readonly backoff: number;
  /** Whether the user chose `retries` or `backoff`: then the first calls to a node keep to them at HTTP 429 too. */
  readonly isPatient?: boolean;
  /** absent: as much as there is */
  readonly rate?: Rate | undefined;
}

export interface EndpointDeps {
  /** wall time */
  readonly clock: Clock;
  /** Called before each attempt after the first, with the reason for it. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** Another attempt. */
export interface Retry {
  /** why the last attempt failed, one line */
  readonly reason: string;
  /** of the attempt to come, from 2 on */
  readonly attempt: number;
  readonly attempts: number;
  /** milliseconds until then */
  readonly wait: number;
}

/** A call and the decoder of its result, which throws BadAnswer when the result isn't valid. */
export interface Read<T> extends Call {
  readonly read: (value: unknown, name: string) => T;
}

export type ReadAll<R extends readonly Read<unknown>[]> = {
  -readonly [K in keyof R]: ReturnType<R[K]['read']>;
};

/** A block that a node has to have, so that it is one of the right chain. */
export interface Landmark {
  readonly number: bigint;
  /** 32 bytes */
  readonly hash: Uint8Array;
}

/** One of the nodes that can be asked. */
interface Target {
  readonly url: string;
  readonly transport: Transport;
  /** settles when it was asked for the landmark */
  checked: Promise<void> | undefined;
}

/** milliseconds */
const LONGEST_WAIT = 30_000;
/** Milliseconds before the first retry of a node's first call at HTTP 429; doubles. Five of them take 620 ms. */
const QUICK_WAIT = 20;
/** Retries of a node's first call at HTTP 429. */
const QUICK_RETRIES = 5;
/** A longer pause than that is not waited for, milliseconds. */
const LONGEST_PAUSE = 120_000;
/** Calls that are sent as one batch. Providers take 100 at least, or none. */
const BATCH = 100;

/**
 * JSON-RPC client of another node, or of several that have the same chain. Without connection, on timeout, HTTP 429 or 5xx it
 * asks the next one, or again.
 */
export class Endpoint {
  readonly #clock: Clock;
  readonly #onRetry: EndpointDeps['onRetry'];
  #options: EndpointOptions;
  #targets: readonly Target[];
  /** index of the one that is asked */
  #at = 0;
  #limit: RateLimit | undefined;
  #landmark: Landmark | undefined;
  /** No request is sent before that, milliseconds of the clock: a node has asked for a pause. */
  #resumes = 0;
  #requests = 0;
  /** functions that end each attempt and each wait under way */
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
   * Takes answers only from nodes with this block, from now on.
   * @param isChecked whether the node that is asked now is known to have it
   */
  require(landmark: Landmark, isChecked: boolean): void {
    this.#landmark = landmark;
    for (const target of this.#targets) target.checked = undefined;
    if (isChecked) this.#targets[this.#at]!.checked = Promise.resolve();
  }

  /** Asks now whether the node has the block of {@link require}. @throws DevnetError `remoteFailed` where it hasn't */
  async confirm(): Promise<void> {
    const target = this.#targets[this.#at]!;
    try {
      await this.#check(target);
    } catch (error) {
      throw this.#failed('eth_getBlockByNumber', failureOf(error).reason, error, target);
    }
  }

  /** Takes answers from nodes with any block again. */
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

  /** Calls that have a place in one request. */
  get mostTogether(): number {
    return Math.min(BATCH, this.#limit?.mostTogether ?? BATCH);
  }

  /** How many requests were sent, a batch counted once. */
  get requests(): number {
    return this.#requests;
  }

  /** @throws DevnetError with the other node's error, or `remoteFailed` when it didn't answer */
  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const [answer] = await this.send([{ method, params }]);
    if ('error' in answer!) throw DevnetError.foreign(answer.error);
    return answer!.result;
  }

  /** Sends calls whose results are needed together. @throws DevnetError `remoteFailed`, also if one is invalid */
  async all<const R extends readonly Read<unknown>[]>(calls: R): Promise<ReadAll<R>> {
    return this.#readAll(calls, await this.send(calls));
  }

  /**
   * Sends the first calls to a node, which are repeated only where that may help: not where nobody listens at the URL, or
   * where the node refuses.
   * @throws as {@link all}
   */
  async first<const R extends readonly Read<unknown>[]>(calls: R): Promise<ReadAll<R>> {
    return this.#readAll(calls, await this.#ask(calls, true));
  }

  /** Sends calls. @returns an answer for each @throws DevnetError `remoteFailed` */
  send(calls: readonly Call[]): Promise<readonly Answer[]> {
    return this.#ask(calls, false);
  }

  /** The value of an answer. @throws DevnetError `remoteFailed` where it is an error, or isn't valid */
  valueOf<T>({ method, read }: Read<T>, answer: Answer): T {
    if ('error' in answer) throw this.#failed(method, oneLine(answer.error.message), answer.error);
    try {
      return read(answer.result, 'the answer');
    } catch (error) {
      throw error instanceof BadAnswer ? this.#failed(method, error.message, error) : error;
    }
  }

  /** Closes the connection; requests under way fail. */
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

  /** @param isFirst whether the node has answered nothing yet */
  async #ask(calls: readonly Call[], isFirst: boolean): Promise<readonly Answer[]> {
    let { retries, backoff: wait } = this.#options;
    let isQuick = false;
    /** nodes that have failed since the last wait */
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
        const isOver = attempt >= retries || pause > LONGEST_PAUSE;
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
        wait = Math.min(2 * wait, LONGEST_WAIT);
      }
    }
  }

  /** Asks the next node from now on, unless another call has changed that already. */
  #next(targets: readonly Target[], at: number): void {
    if (this.#targets === targets && this.#at === at) this.#at = (at + 1) % targets.length;
  }

  /** Asks a node for the landmark, once. @throws ForkMoved where it has another block there, or none */
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

  /** Waits until the calls may be sent, by the rate and by what the node asked for. */
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

  /** Names only the host: the rest of the URL may contain a key. */
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
    // A header may be a key, which is for that host alone.
    const headers = new URL(url).host === host ? options.headers : {};
    const isSocket = /^ws/.test(url);
    const transport = isSocket ? socketTransport({ url, headers }, deps) : httpTransport({ url, headers });
    return { url, transport, checked: undefined };
  });
}
