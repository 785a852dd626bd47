import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../clock.ts';
import type { Connection } from '../rpc/context.ts';
import type { Dispatcher } from '../rpc/dispatch.ts';
import { JsonStream } from '../rpc/json-stream.ts';
import { closeWebSocket } from './close-web-socket.ts';
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
  /** wall time */
  readonly clock: Clock;
  /** A slow reader lost notifications: told when it has caught up, or left. */
  readonly onDropped?: ((messages: number) => void) | undefined;
}

/** Requests of one connection that may run at once. */
const MAX_RUNNING = 256;
/** Requests that may wait for their turn before no more are read from the socket. */
const MAX_QUEUED = 64;
/** Bytes of answers under way past which no further request is started. */
const HIGH_WATER = 1024 * 1024;

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

  /** Takes no more requests; resolves when the running ones are answered and the connections closed. */
  async stop(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.stop()));
  }
}

/** A message that waits for the end of another. */
interface Held {
  readonly answer: string | Buffer | JsonStream;
  readonly done?: () => void;
}

/** A stream that has not begun is as good as nothing. */
function sizeOf({ answer }: Held): number {
  return answer instanceof JsonStream ? 0 : answer.length;
}

/** One connection. */
class Session implements Connection {
  readonly #socket: WebSocket;
  readonly #options: WebSocketOptions;
  readonly #deps: WebSocketDeps;
  readonly #closed: Promise<void>;
  #closeTasks: (() => void)[] | undefined = [];
  readonly #queue: Buffer[] = [];
  /** the answer that is being sent in fragments */
  #stream: JsonStream | undefined;
  /** what waits for its end: no other message may come between the fragments (RFC 6455, 5.4) */
  readonly #held: Held[] = [];
  #heldBytes = 0;
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

  /** A push has left: there may be room for requests that waited because of it. */
  readonly #sent = (): void => {
    if (this.#queue.length > 0) void this.#pump();
  };

  notify(text: Buffer): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    if (this.#waiting + text.length > this.#options.notificationBuffer) {
      this.#dropped++;
      return false;
    }
    this.#reportDropped();
    if (this.#stream) this.#hold({ answer: text });
    else this.#socket.send(text, { binary: false }, this.#sent);
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
      // By the next turn most calls are answered and their size is known; and others get that turn. Also after the last
      // in the queue: messages that came in one packet are received one by one, each without a queue behind it.
      await setImmediate();
    }
    this.#pumping = false;
    if (this.#queue.length === 0 && this.#socket.isPaused) this.#socket.resume();
  }

  async #run(request: Buffer): Promise<void> {
    this.#running++;
    const answer = await this.#deps.dispatcher.handleText(request.toString('utf8'), this);
    if (answer === undefined) this.#done();
    else if (this.#stream) this.#hold({ answer, done: () => this.#done() });
    else this.#answer(answer, () => this.#done());
  }

  #answer(answer: string | Buffer | JsonStream, done: () => void): void {
    const socket = this.#socket;
    if (answer instanceof JsonStream) {
      void this.#sendStream(answer).then(done);
      return;
    }
    // An answer can't be left out, so a reader that lets them pile up goes. One big answer to an idle reader is fine.
    if (socket.bufferedAmount > this.#options.sendBuffer) socket.terminate();
    // A request counts as running until its answer has left: a caller who doesn't read isn't read from either.
    if (socket.readyState === socket.OPEN) socket.send(answer, { binary: false }, done);
    else done();
  }

  /** One message in fragments, each when the one before has left. A stream that fails cuts the connection. */
  async #sendStream(stream: JsonStream): Promise<void> {
    const socket = this.#socket;
    this.#stream = stream;
    const fail = () => socket.terminate();
    stream.signal.addEventListener('abort', fail);
    try {
      for await (const text of stream) await this.#sendFragment(text, false);
      await this.#sendFragment('', true);
    } catch {
      fail();
    } finally {
      stream.signal.removeEventListener('abort', fail);
      this.#stream = undefined;
      this.#sendHeld();
    }
  }

  #sendFragment(text: string, fin: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(text, { fin }, (error) => (error ? reject(error) : resolve()));
    });
  }

  #hold(held: Held): void {
    this.#held.push(held);
    this.#heldBytes += sizeOf(held);
    if (this.#heldBytes > this.#options.sendBuffer) this.#socket.terminate();
  }

  #sendHeld(): void {
    while (this.#held.length > 0 && !this.#stream) {
      const held = this.#held.shift()!;
      this.#heldBytes -= sizeOf(held);
      this.#answer(held.answer, held.done ?? this.#sent);
    }
  }

  /** bytes that have not left yet */
  get #waiting(): number {
    return this.#socket.bufferedAmount + this.#heldBytes;
  }

  #done(): void {
    this.#running--;
    void this.#pump();
    this.#closeWhenIdle();
  }

  #isBusy(): boolean {
    return this.#running >= MAX_RUNNING || this.#waiting > HIGH_WATER;
  }

  #closeWhenIdle(): void {
    if (this.#stopping && this.#running === 0) closeWebSocket(this.#socket, this.#deps.clock);
  }

  #end(): void {
    this.#queue.length = 0;
    this.#stream?.cancel();
    for (const { answer } of this.#held) if (answer instanceof JsonStream) answer.cancel();
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
