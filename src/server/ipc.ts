import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import type { Connection } from '../rpc/context.ts';
import type { Dispatcher } from '../rpc/dispatch.ts';
import { EncodedResponse, failed } from '../rpc/envelope.ts';
import { JsonTexts } from './json-texts.ts';

export interface IpcOptions {
  /** maximum size of a request, bytes */
  readonly bodyLimit: number;
  /** if a connection has more unsent bytes, notifications to it are dropped */
  readonly notificationBuffer: number;
  /** if a connection has more unsent bytes, it is closed */
  readonly sendBuffer: number;
  /** how long running requests may take when the server stops, milliseconds; 5 s by default */
  readonly stopGraceMs?: number;
}

export interface IpcDeps {
  readonly dispatcher: Dispatcher;
  /** the machine's clock */
  readonly clock: Clock;
  /** Called when a slow reader lost notifications. */
  readonly onDropped?: ((messages: number) => void) | undefined;
}

/** When a connection has this many running requests, reading from it is paused. */
const MAX_RUNNING = 256;

/** JSON-RPC over a Unix socket or Windows named pipe, as in geth: a sequence of JSON texts; each answer is one line. */
export class RpcIpc {
  readonly #server: Server;
  readonly #sessions = new Set<Session>();
  readonly #clock: Clock;
  readonly #graceMs: number;

  constructor(options: IpcOptions, deps: IpcDeps) {
    this.#clock = deps.clock;
    this.#graceMs = options.stopGraceMs ?? 5_000;
    this.#server = createServer((socket) => {
      const session = new Session(socket, options, deps);
      this.#sessions.add(session);
      socket.on('close', () => this.#sessions.delete(session));
    });
  }

  /**
   * Opens the socket, accessible only to its owner. Replaces the socket file of a killed process.
   * @throws EADDRINUSE if another process listens there, or if the path is an ordinary file
   */
  async start(path: string): Promise<void> {
    try {
      await this.#listen(path);
    } catch (error) {
      if (!isInUse(error) || !isSocket(path) || (await isServed(path))) throw error;
      unlinkSync(path);
      await this.#listen(path);
    }
    if (process.platform !== 'win32') chmodSync(path, 0o600);
  }

  /** Accepts no more requests. Resolves when everything is closed: after the running requests have been answered, or their time is over. */
  async stop(): Promise<void> {
    const grace = this.#clock.after(this.#graceMs, () => {
      for (const session of this.#sessions) session.cut();
    });
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const session of this.#sessions) void session.stop();
    await closed;
    grace[Symbol.dispose]();
  }

  #listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }
}

/** One connection. */
class Session implements Connection {
  readonly #socket: Socket;
  readonly #options: IpcOptions;
  readonly #deps: IpcDeps;
  readonly #texts = new JsonTexts();
  #closeTasks: (() => void)[] | undefined = [];
  /** orders the writes: nothing may come between the pieces of a long answer */
  #writing: Promise<void> = Promise.resolve();
  #running = 0;
  #idle: (() => void) | undefined;

  constructor(socket: Socket, options: IpcOptions, deps: IpcDeps) {
    this.#socket = socket;
    this.#options = options;
    this.#deps = deps;
    socket.on('data', (bytes) => this.#receive(bytes));
    // `close` follows, and its listener cleans up.
    socket.on('error', () => {});
    socket.on('close', () => {
      deps.dispatcher.leave(this);
      const tasks = this.#closeTasks ?? [];
      this.#closeTasks = undefined;
      for (const task of tasks) task();
    });
  }

  notify(text: Buffer): boolean {
    const { notificationBuffer } = this.#options;
    if (!this.#socket.writable) return false;
    if (this.#socket.writableLength + text.length > notificationBuffer) {
      this.#deps.onDropped?.(1);
      return false;
    }
    void this.#write([text.toString('utf8')]);
    return true;
  }

  onClose(task: () => void): void {
    if (this.#closeTasks) this.#closeTasks.push(task);
    else task();
  }

  async stop(): Promise<void> {
    this.#socket.removeAllListeners('data');
    if (this.#running > 0)
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    await this.#writing;
    this.#socket.destroy();
  }

  cut(): void {
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    for (const text of this.#texts.add(bytes)) void this.#run(text);
    if (this.#texts.waiting <= this.#options.bodyLimit) return;
    const limit = { limit: 'the request in bytes', max: this.#options.bodyLimit };
    this.#socket.removeAllListeners('data');
    const refusal = failed(null, new DevnetError('limitExceeded', limit));
    void this.#write([refusal]).then(() => this.#socket.end());
  }

  async #run(text: Buffer): Promise<void> {
    if (++this.#running >= MAX_RUNNING) this.#socket.pause();
    const answer = await this.#deps.dispatcher.handleText(text, this);
    const whole = answer instanceof EncodedResponse ? answer.text : answer;
    if (whole !== undefined) await this.#write(typeof whole === 'string' ? [whole] : whole);
    if (--this.#running < MAX_RUNNING) this.#socket.resume();
    if (this.#running === 0) this.#idle?.();
  }

  /** Writes a line after the previous ones. If a stream fails midway, the connection is cut, because its answer is incomplete. */
  #write(pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      try {
        for await (const piece of pieces) await this.#send(piece);
        await this.#send('\n');
      } catch {
        this.#socket.destroy();
      }
    });
    return this.#writing;
  }

  #send(text: string): Promise<void> | undefined {
    const socket = this.#socket;
    if (socket.writableLength > this.#options.sendBuffer) socket.destroy();
    if (!socket.writable || socket.write(text)) return undefined;
    return new Promise((resolve) => {
      socket.once('drain', resolve);
      socket.once('close', () => resolve());
    });
  }
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
