import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Connection } from '../rpc/context.ts';
import type { Dispatcher } from '../rpc/dispatch.ts';

export interface WebSocketOptions {
  /** bytes of one message */
  readonly bodyLimit: number;
  /** bytes that may wait for a slow reader before notifications to it are dropped */
  readonly notificationBuffer: number;
  /** bytes that may wait for a slow reader before it is disconnected */
  readonly sendBuffer: number;
}

export interface WebSocketDeps {
  readonly dispatcher: Dispatcher;
  /** A slow reader's connection ended after it lost notifications. */
  readonly onDropped?: ((messages: number) => void) | undefined;
}

/** Requests of one connection that may run at once; the rest stays in the socket. */
const MAX_RUNNING = 256;
/** Bytes of answers under way past which no further request is read. */
const HIGH_WATER = 1024 * 1024;
/** Close codes of RFC 6455. */
const GOING_AWAY = 1001;

/** JSON-RPC over WebSocket: the same dispatcher as over HTTP, with a connection to push to. */
export class RpcWebSocket {
  readonly #server: WebSocketServer;
  readonly #sessions = new Set<Session>();
  readonly #options: WebSocketOptions;
  readonly #deps: WebSocketDeps;

  constructor(options: WebSocketOptions, deps: WebSocketDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: options.bodyLimit,
      perMessageDeflate: false,
    });
  }

  /** Takes over a connection that asked to be upgraded. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const session = new Session(webSocket, this.#options, this.#deps);
      this.#sessions.add(session);
      session.onClose(() => this.#sessions.delete(session));
    });
  }

  /** Takes no more requests; resolves when the running ones are answered and the connections closed. */
  async stop(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.stop()));
  }
}

/** One connection. */
class Session implements Connection {
  readonly #socket: WebSocket;
  readonly #options: WebSocketOptions;
  readonly #deps: WebSocketDeps;
  readonly #closed: Promise<void>;
  #closeTasks: (() => void)[] | undefined = [];
  #running = 0;
  #dropped = 0;
  #stopping = false;

  constructor(socket: WebSocket, options: WebSocketOptions, deps: WebSocketDeps) {
    this.#socket = socket;
    this.#options = options;
    this.#deps = deps;
    socket.on('message', (data) => void this.#receive(data));
    // ws closes the connection itself (message too big, bad frame); nobody else needs to know.
    socket.on('error', () => {});
    this.#closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#end();
        resolve();
      });
    });
  }

  notify(text: string): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    if (this.#socket.bufferedAmount + text.length > this.#options.notificationBuffer) {
      this.#dropped++;
      return false;
    }
    this.#socket.send(text);
    return true;
  }

  onClose(task: () => void): void {
    if (this.#closeTasks) this.#closeTasks.push(task);
    else task();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#closeWhenIdle();
    await this.#closed;
  }

  async #receive(data: RawData): Promise<void> {
    if (this.#stopping) return;
    this.#running++;
    if (this.#isBusy()) this.#socket.pause();
    // With the default binaryType every message is a Buffer.
    const answer = await this.#deps.dispatcher.handleText((data as Buffer).toString('utf8'), this);
    if (answer !== undefined) this.#answer(answer);
    else this.#done();
  }

  #answer(text: string): void {
    const socket = this.#socket;
    // An answer can't be left out, so a reader that lets them pile up goes. One big answer to an idle reader is fine.
    if (socket.bufferedAmount > this.#options.sendBuffer) socket.terminate();
    if (socket.readyState !== socket.OPEN) {
      this.#done();
      return;
    }
    // A request counts as running until its answer has left: a caller who doesn't read isn't read from either.
    socket.send(text, () => this.#done());
    if (this.#isBusy()) socket.pause();
  }

  #done(): void {
    this.#running--;
    if (this.#socket.isPaused && !this.#isBusy()) this.#socket.resume();
    this.#closeWhenIdle();
  }

  #isBusy(): boolean {
    return this.#running >= MAX_RUNNING || this.#socket.bufferedAmount > HIGH_WATER;
  }

  #closeWhenIdle(): void {
    if (this.#stopping && this.#running === 0) this.#socket.close(GOING_AWAY);
  }

  #end(): void {
    const tasks = this.#closeTasks ?? [];
    this.#closeTasks = undefined;
    for (const task of tasks) task();
    if (this.#dropped > 0) this.#deps.onDropped?.(this.#dropped);
  }
}
