import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';

/** Time that each body has to arrive, milliseconds: as long as Node gives a head. */
const BODY_MS = 60_000;
/** Bytes for each of which a body has more time, in a second: Apache asks for as many. */
const BYTES_A_SECOND = 500;

/** What Node's HTTP server answers to a head that takes too long. */
const TOO_SLOW = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

/** Since when a body arrives, in milliseconds on the clock, and how many bytes its connection had received by then. */
interface Beginning {
  readonly since: number;
  readonly received: number;
}

/**
 * Ends requests whose bodies trickle in: those that aren't whole after {@link BODY_MS} and a second more for each
 * {@link BYTES_A_SECOND} bytes. However large a body is, it ends if it stops, and doesn't if it goes on at a usable rate;
 * Node's own limit, 300 s for any request, does neither.
 */
export class ArrivingBodies {
  readonly #clock: Clock;
  readonly #checkMs: number;
  readonly #arriving = new Map<IncomingMessage, Beginning>();
  #checking: Disposable | undefined;

  /** @param options.checkMs milliseconds between two looks at the bodies */
  constructor({ checkMs }: { checkMs: number }, { clock }: { clock: Clock }) {
    this.#checkMs = checkMs;
    this.#clock = clock;
  }

  /** @param request whose head has just been read */
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
