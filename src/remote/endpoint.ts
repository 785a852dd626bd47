import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { httpTransport } from './http-transport.ts';
import { Unreachable } from './rpc-client.ts';
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
}

/** A call and the decoder of its result, which throws BadAnswer when the result isn't valid. */
export interface Read<T> extends Call {
  readonly read: (value: unknown, name: string) => T;
}

type ReadAll<R extends readonly Read<unknown>[]> = { -readonly [K in keyof R]: ReturnType<R[K]['read']> };

/** milliseconds */
const LONGEST_WAIT = 30_000;

/** JSON-RPC client of another node. Without connection, on timeout, HTTP 429 or 5xx it asks again. */
export class Endpoint {
  readonly #clock: Clock;
  #options: EndpointOptions;
  #transport: Transport;
  /** functions that end each attempt and each wait under way */
  readonly #ends = new Set<() => void>();
  #closed = false;

  /** @param deps.clock wall time */
  constructor(options: EndpointOptions, deps: { clock: Clock }) {
    this.#options = options;
    this.#clock = deps.clock;
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
    const answers = await this.#ask(calls);
    const results = answers.map((answer, i) => {
      const { method, read } = calls[i]!;
      if ('error' in answer) throw this.#failed(method, answer.error.message);
      try {
        return read(answer.result, 'the answer');
      } catch (error) {
        throw error instanceof BadAnswer ? this.#failed(method, error.message) : error;
      }
    });
    // Mapping over a tuple loses its type; each result was decoded by the decoder at its index.
    return results as ReadAll<R>;
  }

  /** Closes the connection; requests under way fail. */
  close(): void {
    this.#closed = true;
    for (const end of [...this.#ends]) end();
    this.#transport.close();
  }

  async #ask(calls: readonly Call[]): Promise<readonly Answer[]> {
    const { retries, backoff } = this.#options;
    const [{ method }] = calls as [Call];
    for (let attempt = 0, wait = backoff; ; attempt++, wait = Math.min(2 * wait, LONGEST_WAIT)) {
      try {
        if (this.#closed) throw new Refused('it is asked no more');
        return await this.#attempt(calls);
      } catch (error) {
        const reason = reasonOf(error);
        if (error instanceof Refused || this.#closed) throw this.#failed(method, reason);
        if (attempt === retries)
          throw this.#failed(method, retries === 0 ? reason : `${reason}, after ${retries + 1} attempts`);
        await this.#pause(wait);
      }
    }
  }

  async #attempt(calls: readonly Call[]): Promise<readonly Answer[]> {
    const { timeout } = this.#options;
    const ended = new AbortController();
    const end = () => ended.abort(new Error('it is asked no more'));
    const timer = this.#clock.after(timeout, () => ended.abort(new Error(`no answer within ${timeout} ms`)));
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
  #failed(method: string, reason: string): DevnetError {
    return new DevnetError('remoteFailed', { host: new URL(this.#options.url).host, method, reason });
  }
}

function transportOf(options: EndpointOptions, deps: { clock: Clock }): Transport {
  return /^ws/.test(options.url) ? socketTransport(options, deps) : httpTransport(options);
}

function reasonOf(error: unknown): string {
  if (error instanceof Unreachable) return 'the connection ended';
  if (!(error instanceof Error)) return String(error);
  // fetch gives the reason in the error's cause.
  const { cause } = error;
  if (cause instanceof Error) return ('code' in cause && `${cause.code}`) || cause.message || error.message;
  return error.message;
}
