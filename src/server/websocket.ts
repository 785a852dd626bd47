import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Connection } from '../rpc/context.ts';
import type { Dispatcher } from '../rpc/dispatch.ts';
import type { Heartbeat } from './heartbeat.ts';

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
  readonly heartbeat: Heartbeat;
  /** A slow reader lost notifications: told when it has caught up, or left. */
  readonly onDropped?: ((messages: number) => void) | undefined;
}

/** Requests of one connection that may run at once. */
const MAX_RUNNING = 256;
/** Requests that may wait for their turn before no more are read from the socket. */
const MAX_QUEUED = 64;
/** Bytes of answers under way past which no further request is started. */
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
      this.#deps.heartbeat.watch(webSocket);
      session.onClose(() => this.#sessions.delete(session));
    });
  }

  get connections(): number {
    return this.#sessions.size;
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
  readonly #queue: Buffer[] = [];
  #pumping = false;
  #running = 0;
  #dropped = 0;
  #stopping = false;

  constructor(socket: WebSocket, options: WebSocketOptions, deps: WebSocketDeps) {
    this.#socket = socket;
    this.#options = options;
    this.#deps = deps;
    socket.on('message', (data) => this.#receive(data));
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
    this.#reportDropped();
    this.#socket.send(text);
    return true;
  }

  onClose(task: () => void): void {
    if (this.#closeTasks) this.#closeTasks.push(task);
    else task();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#queue.length = 0;
    if (this.#socket.isPaused) this.#socket.resume();
    this.#closeWhenIdle();
    await this.#closed;
  }

  #receive(data: RawData): void {
    if (this.#stopping) return;
    // With the default binaryType every message is a Buffer.
    this.#queue.push(data as Buffer);
    if (this.#queue.length >= MAX_QUEUED) this.#socket.pause();
    void this.#pump();
  }

  /** Starts what is queued as long as the answers get away. */
  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#queue.length > 0 && !this.#isBusy()) {
      void this.#run(this.#queue.shift()!);
      // By the next turn most calls are answered and their size is known; and others get that turn.
      if (this.#queue.length > 0) await setImmediate();
    }
    this.#pumping = false;
    if (this.#queue.length === 0 && this.#socket.isPaused) this.#socket.resume();
  }

  async #run(request: Buffer): Promise<void> {
    this.#running++;
    const answer = await this.#deps.dispatcher.handleText(request.toString('utf8'), this);
    if (answer === undefined) this.#done();
    else this.#answer(answer);
  }

  #answer(text: string): void {
    const socket = this.#socket;
    // An answer can't be left out, so a reader that lets them pile up goes. One big answer to an idle reader is fine.
    if (socket.bufferedAmount > this.#options.sendBuffer) socket.terminate();
    // A request counts as running until its answer has left: a caller who doesn't read isn't read from either.
    if (socket.readyState === socket.OPEN) socket.send(text, () => this.#done());
    else this.#done();
  }

  #done(): void {
    this.#running--;
    void this.#pump();
    this.#closeWhenIdle();
  }

  #isBusy(): boolean {
    return this.#running >= MAX_RUNNING || this.#socket.bufferedAmount > HIGH_WATER;
  }

  #closeWhenIdle(): void {
    if (this.#stopping && this.#running === 0) this.#socket.close(GOING_AWAY);
  }

  #end(): void {
    this.#queue.length = 0;
    const tasks = this.#closeTasks ?? [];
    this.#closeTasks = undefined;
    for (const task of tasks) task();
    this.#reportDropped();
  }

  #reportDropped(): void {
    if (this.#dropped > 0) this.#deps.onDropped?.(this.#dropped);
    this.#dropped = 0;
  }
}
