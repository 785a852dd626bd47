import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';

/** Interval of pings in milliseconds. A peer that hasn't responded to a ping by the next one is disconnected. */
const PING_MS = 5_000;
/** Milliseconds until an attempt to connect times out. */
const CONNECT_MS = 5_000;

/**
 * Opens a WebSocket that disconnects from an unresponsive peer.
 * @param onMessage added before the connection opens: the first message may arrive together with the handshake's response
 * @throws Error that contains the URL
 */
export async function openSocket(
  url: string,
  clock: Clock,
  onMessage: (data: Buffer) => void = () => {},
  headers: Readonly<Record<string, string>> = {},
): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false, headers });
  // With the default binaryType every message is a Buffer.
  socket.on('message', (data: Buffer) => onMessage(data));
  let silent = false;
  const limit = clock.after(CONNECT_MS, () => {
    silent = true;
    socket.terminate();
  });
  try {
    await once(socket, 'open');
  } catch (error) {
    const reason = silent ? `no answer within ${CONNECT_MS} ms` : (error as Error).message;
    throw new Error(`no connection to ${url}: ${reason}`, { cause: error });
  } finally {
    limit[Symbol.dispose]();
  }
  let alive = true;
  const ping = clock.every(PING_MS, () => {
    if (!alive) socket.terminate();
    alive = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  });
  const sign = () => {
    alive = true;
  };
  socket.on('pong', sign).on('message', sign);
  // A 'close' event follows immediately and is handled instead.
  socket.on('error', () => {});
  socket.on('close', () => ping[Symbol.dispose]());
  return socket;
}

/** A JSON-RPC error of the other node, or {@link Unreachable}. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;
  /** the HTTP status, if the error came over HTTP */
  readonly status: number | undefined;

  constructor(error: { code: number; message: string; data?: unknown; status?: number | undefined }) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
    this.status = error.status;
  }
}

/** The other node didn't respond. */
export class Unreachable extends RpcError {
  constructor(message = 'the node that makes the blocks can not be reached') {
    super({ code: -32000, message });
  }
}

/** The response isn't JSON-RPC. */
export class NoJsonRpc extends Unreachable {
  constructor() {
    super('an answer that is not JSON-RPC');
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RpcError) => void;
  readonly limit: Disposable | undefined;
}

interface Answer {
  readonly id?: number | null;
  readonly result?: unknown;
  readonly error?: { code: number; message: string; data?: unknown };
  /** only in a notification */
  readonly params?: { readonly result: unknown };
}

/** A JSON-RPC client over one WebSocket, which isn't reopened after it has closed. */
export class RpcClient {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onNotification: (result: unknown) => void;
  #count = 0;

  private constructor(socket: WebSocket, clock: Clock, onNotification: (result: unknown) => void) {
    this.#socket = socket;
    this.#clock = clock;
    this.#onNotification = onNotification;
    socket.on('message', (data) => this.#receive(String(data)));
    socket.on('close', () => this.#rejectAll(new Unreachable()));
  }

  /** @param onNotification called with the result of each notification */
  static async open(
    url: string,
    clock: Clock,
    onNotification: (result: unknown) => void = () => {},
    headers?: Readonly<Record<string, string>>,
  ): Promise<RpcClient> {
    return new RpcClient(await openSocket(url, clock, undefined, headers), clock, onNotification);
  }

  get socket(): WebSocket {
    return this.#socket;
  }

  /**
   * @param within timeout of the request in milliseconds; absent = it waits as long as the connection is open
   * @throws RpcError, Unreachable
   */
  request(method: string, params: readonly unknown[] = [], within?: number): Promise<unknown> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.reject(new Unreachable());
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      const giveUp = () =>
        this.#take(id)?.reject(
          new Unreachable(`${this.#socket.url} hasn't answered ${method} within ${within} ms`),
        );
      const limit = within === undefined ? undefined : this.#clock.after(within, giveUp);
      this.#waiting.set(id, { resolve, reject, limit });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  close(): void {
    this.#socket.close();
  }

  #receive(text: string): void {
    const message = readMessage(text);
    if (!message) {
      this.#rejectAll(new NoJsonRpc());
      this.#socket.terminate();
      return;
    }
    if (message.params) {
      this.#onNotification(message.params.result);
      return;
    }
    const { id, error, result } = message;
    if (error && (id === undefined || id === null)) {
      // JSON-RPC 2.0: the other side couldn't determine the request to which this response belongs.
      this.#rejectAll(new RpcError(error));
      return;
    }
    const waiting = this.#take(id ?? -1);
    if (error) waiting?.reject(new RpcError(error));
    else if (result === undefined) waiting?.reject(new NoJsonRpc());
    else waiting?.resolve(result);
  }

  #rejectAll(error: RpcError): void {
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(error);
  }

  /** Removes and returns the pending request with this id. */
  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.limit?.[Symbol.dispose]();
    return waiting;
  }
}

/** @returns a response or a notification; `undefined` for anything else */
function readMessage(text: string): Answer | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  const isMessage =
    typeof message === 'object' &&
    message !== null &&
    ('id' in message || 'error' in message || 'params' in message);
  return isMessage ? (message as Answer) : undefined;
}
