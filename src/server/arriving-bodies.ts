import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';

/** Base time in which a request's body must arrive, milliseconds: the same as Node's limit for a head. */
const BODY_MS = 60_000;
/** A body gets one more second for each so many bytes; Apache has the same default. */
const BYTES_A_SECOND = 500;

/** The response that Node's HTTP server sends if a head takes too long. */
const TOO_SLOW = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

/** The arrival time of a request's head, in milliseconds on the clock, and the bytes that its connection had received by then. */
interface Beginning {
  readonly since: number;
  readonly received: number;
}

/**
 * Ends requests whose bodies arrive too slowly: those that are incomplete after {@link BODY_MS}, plus one second for each {@link
 * BYTES_A_SECOND} bytes. A body that stalls is ended, however large it is; a body that keeps arriving at a usable rate isn't. Node's own
 * limit, 300 s for any request, ensures neither.
 */
export class ArrivingBodies {
  readonly #clock: Clock;
  readonly #checkMs: number;
  readonly #arriving = new Map<IncomingMessage, Beginning>();
  #checking: Disposable | undefined;

  /** @param options.checkMs milliseconds between two checks */
  constructor({ checkMs }: { checkMs: number }, { clock }: { clock: Clock }) {
    this.#checkMs = checkMs;
    this.#clock = clock;
  }

  /** @param request a request whose head has just been read */
  add(request: IncomingMessage): void {
    const { headers, socket } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    this.#arriving.set(request, { since: this.#clock.now(), received: socket.bytesRead });
    request.once('close', () => this.#arriving.delete(request));
    this.#checking ??= this.#clock.every(this.#checkMs, () => this.#check());
  }

  stop(): void {
    this.#checking?.[Symbol.dispose]();
  }

  #check(): void {
    for (const [request, { since, received }] of this.#arriving) {
      const { socket } = request;
      if (request.complete) {
        this.#arriving.delete(request);
        continue;
      }
      const ms = BODY_MS + ((socket.bytesRead - received) / BYTES_A_SECOND) * 1_000;
      if (this.#clock.now() - since <= ms) continue;
      this.#arriving.delete(request);
      socket.end(TOO_SLOW, () => socket.destroy());
    }
  }
}
