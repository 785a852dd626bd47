import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../clock.ts';
import type { Connection } from '../rpc/context.ts';
import type { Answer, Dispatcher } from '../rpc/dispatch.ts';
import { EncodedResponse } from '../rpc/envelope.ts';
import { JsonStream } from '../rpc/json-stream.ts';
import { giveWay } from '../turns.ts';
import { closeWebSocket } from './close-web-socket.ts';
import type { Heartbeat } from './heartbeat.ts';

export interface WebSocketOptions {
  /** maximum size of a message, bytes */
  readonly bodyLimit: number;
  /** if a connection has more unsent bytes, notifications to it are dropped */
  readonly notificationBuffer: number;
  /** if a connection has more unsent bytes, it is closed */
  readonly sendBuffer: number;
}

export interface WebSocketDeps {
  readonly dispatcher: Dispatcher;
  readonly heartbeat: Heartbeat;
  /** the machine's clock */
  readonly clock: Clock;
  /** Called with the number of notifications that a slow reader lost, when it has caught up or left. */
  readonly onDropped?: ((messages: number) => void) | undefined;
}

/** Maximum number of concurrent requests of one connection. */
const MAX_RUNNING = 256;
/** At this number of queued requests, reading from the socket is paused. */
const MAX_QUEUED = 64;
/** While more bytes of answers than this are unsent, no further request is started. */
const HIGH_WATER = 1024 * 1024;

/** JSON-RPC over WebSocket. Unlike HTTP, it has a permanent connection, which can receive notifications. */
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

  /**
   * Takes over a connection that requested an upgrade to WebSocket.
   * @param isPage whether it is the connection of the page at `/`
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, isPage = false): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const session = new Session(webSocket, { ...this.#options, isPage }, this.#deps);
      this.#sessions.add(session);
      this.#deps.heartbeat.watch(webSocket);
      session.onClose(() => this.#sessions.delete(session));
    });
  }

  /** Accepts no more requests; resolves when the running requests have been answered and the connections are closed. */
  async stop(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.stop()));
  }
}

/** A message that waits until a fragmented message has ended. */
interface Held {
  readonly answer: string | Buffer | JsonStream;
  readonly done?: () => void;
}

/** Returns the size in bytes. A stream that hasn't started takes no memory yet. */
function sizeOf({ answer }: Held): number {
  return answer instanceof JsonStream ? 0 : answer.length;
}

/** One connection. */
class Session implements Connection {
  readonly isPage: boolean;
  readonly #socket: WebSocket;
  readonly #options: WebSocketOptions;
  readonly #deps: WebSocketDeps;
  readonly #closed: Promise<void>;
  #closeTasks: (() => void)[] | undefined = [];
  readonly #queue: Buffer[] = [];
  /** the answer that is being sent in fragments now */
  #stream: JsonStream | undefined;
  /** messages to send after it: no other message may come between fragments (RFC 6455, 5.4) */
  readonly #held: Held[] = [];
  #heldBytes = 0;
  #pumping = false;
  #running = 0;
  #dropped = 0;
  #stopping = false;

  constructor(
    socket: WebSocket,
    options: WebSocketOptions & { readonly isPage: boolean },
    deps: WebSocketDeps,
  ) {
    this.isPage = options.isPage;
    this.#socket = socket;
    this.#options = options;
    this.#deps = deps;
    socket.on('message', (data) => this.#receive(data));
    // ws closes the connection itself (message too big, invalid frame).
    socket.on('error', () => {});
    this.#closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#end();
        resolve();
      });
    });
  }

  /** Called when a notification has been sent: there may be room again for queued requests. */
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

  /** Starts queued requests as long as the client accepts the answers. */
  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#queue.length > 0 && !this.#isBusy()) {
      const later = this.#run(this.#queue.shift()!);
      // Waits until the next turn of the event loop: by then most of the other calls are answered, so the size of their answers is known,
      // and other work has run. This is also needed after the last request in the queue: messages of one packet arrive here one by one, so
      // that each of them seems to be the last.
      await (later ? setImmediate() : giveWay());
    }
    this.#pumping = false;
    if (this.#queue.length === 0 && this.#socket.isPaused) this.#socket.resume();
  }

  /** @returns whether the answer is asynchronous */
  #run(request: Buffer): boolean {
    this.#running++;
    const answer = this.#deps.dispatcher.handleText(request, this);
    const send = (answered: Answer) => {
      const made = answered instanceof EncodedResponse ? answered.bytes : answered;
      if (made === undefined) this.#done();
      else if (this.#stream) this.#hold({ answer: made, done: () => this.#done() });
      else this.#answer(made, () => this.#done());
    };
    if (answer instanceof Promise) void answer.then(send);
    else send(answer);
    return answer instanceof Promise;
  }

  #answer(answer: string | Buffer | JsonStream, done: () => void): void {
    const socket = this.#socket;
    if (answer instanceof JsonStream) {
      void this.#sendStream(answer).then(done);
      return;
    }
    // Answers can't be dropped, so a client that doesn't read them is disconnected. The check comes before sending, so that a single big
    // answer is allowed.
    if (socket.bufferedAmount > this.#options.sendBuffer) socket.terminate();
    // A request counts as running until its answer has been sent, so that a client that doesn't read can't start more requests.
    if (socket.readyState === socket.OPEN) socket.send(answer, { binary: false }, done);
    else done();
  }

  /** Sends one message in fragments, each after the previous one has been sent. If the stream fails, the connection is cut. */
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

  /** number of unsent bytes */
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
    this.#deps.dispatcher.leave(this);
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
