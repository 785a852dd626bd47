import { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';

/** Milliseconds between two pings; a peer that doesn't answer one before the next is given up. */
const PING_MS = 5_000;

/**
 * Opens a WebSocket that gives up on a peer that is silent.
 * @param onMessage listens from the start: the first message may come with the handshake's answer
 * @throws Error that names the address
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
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', (error) => reject(new Error(`no connection to ${url}: ${error.message}`)));
  });
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
  // The end follows at once, and that is what counts.
  socket.on('error', () => {});
  socket.on('close', () => ping[Symbol.dispose]());
  return socket;
}

/** What the other node answered, or that it didn't. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** There was no answer. */
export class Unreachable extends RpcError {
  constructor() {
    super({ code: -32000, message: 'the node that makes the blocks can not be reached' });
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RpcError) => void;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { code: number; message: string; data?: unknown };
  /** of a notification */
  readonly params?: { readonly result: unknown };
}

/** JSON-RPC over one WebSocket, which isn't opened again once it has ended. */
export class RpcClient {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onNotification: (result: unknown) => void;
  #count = 0;

  private constructor(socket: WebSocket, onNotification: (result: unknown) => void) {
    this.#socket = socket;
    this.#onNotification = onNotification;
    socket.on('message', (data) => this.#receive(String(data)));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Unreachable());
      this.#waiting.clear();
    });
  }

  /** @param onNotification gets the result of each notification */
  static async open(
    url: string,
    clock: Clock,
    onNotification: (result: unknown) => void = () => {},
    headers?: Readonly<Record<string, string>>,
  ): Promise<RpcClient> {
    return new RpcClient(await openSocket(url, clock, undefined, headers), onNotification);
  }

  get socket(): WebSocket {
    return this.#socket;
  }

  /** @throws RpcError */
  request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.reject(new Unreachable());
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  close(): void {
    this.#socket.close();
  }

  #receive(text: string): void {
    let message: Answer;
    try {
      message = JSON.parse(text) as Answer;
    } catch {
      // No node of ours: what waits is answered by the end of the connection.
      this.#socket.terminate();
      return;
    }
    if (message.params) {
      this.#onNotification(message.params.result);
      return;
    }
    const waiting = this.#waiting.get(message.id ?? -1);
    this.#waiting.delete(message.id ?? -1);
    if (message.error) waiting?.reject(new RpcError(message.error));
    else waiting?.resolve(message.result);
  }
}
