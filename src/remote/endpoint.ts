import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { BadStatus, failureOf, oneLine, TimedOut } from './failure.ts';
import { httpTransport } from './http-transport.ts';
import { socketTransport } from './socket-transport.ts';
import { type Answer, type Call, Refused, type Transport } from './transport.ts';
import { BadAnswer } from './wire.ts';

export interface EndpointOptions {
  /** `http://`, `https://`, `ws://` or `wss://` */
  readonly url: string;
  /** HTTP headers, sent with each request or with the upgrade to WebSocket */
  readonly headers: Readonly<Record<string, string>>;
  /** milliseconds until an attempt times out */
  readonly timeout: number;
  /** attempts after the first one */
  readonly retries: number;
  /** milliseconds before the first retry; doubles with each further one, up to {@link LONGEST_WAIT} */
  readonly backoff: number;
  /** Whether the user chose `retries` or `backoff`: then the first calls to a node keep to them at HTTP 429 too. */
  readonly isPatient?: boolean;
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

type ReadAll<R extends readonly Read<unknown>[]> = { -readonly [K in keyof R]: ReturnType<R[K]['read']> };

/** milliseconds */
const LONGEST_WAIT = 30_000;
/** Milliseconds before the first retry of a node's first call at HTTP 429; doubles. Five of them take 620 ms. */
const QUICK_WAIT = 20;
/** Retries of a node's first call at HTTP 429. */
const QUICK_RETRIES = 5;

/** JSON-RPC client of another node. Without connection, on timeout, HTTP 429 or 5xx it asks again. */
export class Endpoint {
  readonly #clock: Clock;
  readonly #onRetry: EndpointDeps['onRetry'];
  #options: EndpointOptions;
  #transport: Transport;
  /** functions that end each attempt and each wait under way */
  readonly #ends = new Set<() => void>();
  #closed = false;

  constructor(options: EndpointOptions, deps: EndpointDeps) {
    this.#options = options;
    this.#clock = deps.clock;
    this.#onRetry = deps.onRetry;
    this.#transport = transportOf(options, deps);
  }

  /** Uses another node of the same chain from now on. */
  redirect(options: EndpointOptions): void {
    this.#transport.close();
    this.#options = options;
    this.#transport = transportOf(options, { clock: this.#clock });
  }

  /** The URL as configured, without user name and password. */
  get url(): string {
    return this.#options.url.replace(/\/\/[^/?#]*@/, '//');
  }

  /** milliseconds */
  get backoff(): number {
    return this.#options.backoff;
  }

  /** @throws DevnetError with the other node's error, or `remoteFailed` when it didn't answer */
  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const [answer] = await this.#ask([{ method, params }]);
    if ('error' in answer!) throw DevnetError.foreign(answer.error);
    return answer!.result;
  }

  /** Sends calls whose results are needed together. @throws DevnetError `remoteFailed`, also if one is invalid */
  async all<const R extends readonly Read<unknown>[]>(calls: R): Promise<ReadAll<R>> {
    return this.#readAll(calls, await this.#ask(calls));
  }

  /**
   * Sends the first calls to a node, which are repeated only where that may help: not where nobody listens at the URL, or
   * where the node refuses.
   * @throws as {@link all}
   */
  async first<const R extends readonly Read<unknown>[]>(calls: R): Promise<ReadAll<R>> {
    return this.#readAll(calls, await this.#ask(calls, true));
  }

  /** Closes the connection; requests under way fail. */
  close(): void {
    this.#closed = true;
    for (const end of [...this.#ends]) end();
    this.#transport.close();
  }

  #readAll<const R extends readonly Read<unknown>[]>(calls: R, answers: readonly Answer[]): ReadAll<R> {
    const results = answers.map((answer, i) => {
      const { method, read } = calls[i]!;
      if ('error' in answer) throw this.#failed(method, oneLine(answer.error.message), answer.error);
      try {
        return read(answer.result, 'the answer');
      } catch (error) {
        throw error instanceof BadAnswer ? this.#failed(method, error.message, error) : error;
      }
    });
    // Mapping over a tuple loses its type; each result was decoded by the decoder at its index.
    return results as ReadAll<R>;
  }

  /** @param isFirst whether the node has answered nothing yet */
  async #ask(calls: readonly Call[], isFirst = false): Promise<readonly Answer[]> {
    let { retries, backoff: wait } = this.#options;
    let isQuick = false;
    const [{ method }] = calls as [Call];
    for (let attempt = 0; ; attempt++, wait = Math.min(2 * wait, LONGEST_WAIT)) {
      try {
        if (this.#closed) throw new Refused('it is asked no more');
        return await this.#attempt(calls);
      } catch (error) {
        const { reason, mayPass, isTooMany } = failureOf(error);
        const isFinal = error instanceof Refused || (!mayPass && (isFirst || error instanceof BadStatus));
        if (isFinal || this.#closed) throw this.#failed(method, reason, error);
        if (isFirst && isTooMany && !this.#options.isPatient && !isQuick) {
          isQuick = true;
          wait = Math.min(wait, QUICK_WAIT);
          retries = Math.min(retries, attempt + QUICK_RETRIES);
        }
        if (attempt >= retries)
          throw this.#failed(
            method,
            attempt === 0 ? reason : `${reason}, after ${attempt + 1} attempts (--retries)`,
            error,
          );
        this.#onRetry?.({ reason, attempt: attempt + 2, attempts: retries + 1, wait });
        await this.#pause(wait);
      }
    }
  }

  async #attempt(calls: readonly Call[]): Promise<readonly Answer[]> {
    const { timeout } = this.#options;
    const ended = new AbortController();
    const end = () => ended.abort(new Refused('it is asked no more'));
    const timer = this.#clock.after(timeout, () => ended.abort(new TimedOut(timeout)));
    this.#ends.add(end);
    try {
      return await this.#transport.send(calls, ended.signal);
    } catch (error) {
      throw ended.signal.aborted ? ended.signal.reason : error;
    } finally {
      timer[Symbol.dispose]();
      this.#ends.delete(end);
    }
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
  #failed(method: string, reason: string, cause: unknown): DevnetError {
    const error = new DevnetError('remoteFailed', { host: new URL(this.#options.url).host, method, reason });
    error.cause = cause;
    return error;
  }
}

function transportOf(options: EndpointOptions, deps: { clock: Clock }): Transport {
  return /^ws/.test(options.url) ? socketTransport(options, deps) : httpTransport(options);
}
