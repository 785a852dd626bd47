import type { Clock } from '../clock.ts';
import type { ForwardedRequest } from '../rpc/forwarded-request.ts';
import { positionHeaders } from './position-headers.ts';

/** Formats the heads of responses, with the same headers in the same order as Node's HTTP server. */
export class ResponseHeads {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #position: (() => string) | undefined;
  readonly #allowOrigin: string;
  /** the start of all answers with a body */
  readonly #json: string;
  readonly #keepAlive: string;
  #second = Number.NaN;
  /** the headers that change once a second and those after them: for a connection that is kept, and for one that is closed */
  #kept = '';
  #closed = '';

  /**
   * @param options.allowOrigin value of Access-Control-Allow-Origin; false to omit the header
   * @param options.keepAliveMs how long an idle connection is kept, milliseconds
   * @param deps.clock wall time
   * @param deps.position returns the value of devnet-position; if absent, the header is omitted
   */
  constructor(
    options: { allowOrigin: string | false; keepAliveMs: number },
    { clock, position }: { clock: Pick<Clock, 'now'>; position?: (() => string) | undefined },
  ) {
    const { allowOrigin, keepAliveMs } = options;
    this.#clock = clock;
    this.#position = position;
    this.#allowOrigin = allowOrigin === false ? '' : `access-control-allow-origin: ${allowOrigin}\r\n`;
    this.#json = `HTTP/1.1 200 OK\r\n${this.#allowOrigin}content-type: application/json\r\n`;
    this.#keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n`;
  }

  /** @param closes whether the connection is closed after this response */
  empty(closes: boolean, forwarded?: ForwardedRequest): string {
    return `HTTP/1.1 204 No Content\r\n${this.#allowOrigin}${this.#general(closes, forwarded)}\r\n`;
  }

  /** @param length length of the body, bytes */
  whole(length: number, closes: boolean, forwarded?: ForwardedRequest): string {
    return `${this.#json}content-length: ${length}\r\n${this.#general(closes, forwarded)}\r\n`;
  }

  chunked(closes: boolean, forwarded?: ForwardedRequest): string {
    return `${this.#json}${this.#general(closes, forwarded)}Transfer-Encoding: chunked\r\n\r\n`;
  }

  #general(closes: boolean, forwarded: ForwardedRequest | undefined): string {
    const second = Math.floor(this.#clock.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      const date = `Date: ${new Date(second * 1_000).toUTCString()}\r\n`;
      this.#kept = date + this.#keepAlive;
      this.#closed = `${date}Connection: close\r\n`;
    }
    const general = closes ? this.#closed : this.#kept;
    if (!this.#position) return general;
    let positions = '';
    for (const [name, value] of Object.entries(positionHeaders(this.#position(), forwarded)))
      positions += `${name}: ${value}\r\n`;
    return positions + general;
  }
}
