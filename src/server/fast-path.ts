import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { Clock } from '../clock.ts';
import type { Answer, Dispatcher } from '../rpc/dispatch.ts';
import { EncodedResponse } from '../rpc/envelope.ts';
import { ForwardedRequest } from '../rpc/forwarded-request.ts';
import { JsonStream } from '../rpc/json-stream.ts';
import { giveWay } from '../turns.ts';
import { HEAD_LIMIT, PlainHeads } from './plain-request.ts';
import { ResponseHeads } from './response-heads.ts';
import { UnqueuedSocket } from './unqueued-socket.ts';

export interface FastPathOptions {
  /** bytes */
  readonly bodyLimit: number;
  readonly allowedHosts: ReadonlySet<string>;
  /** value of Access-Control-Allow-Origin; false for none */
  readonly allowOrigin: string | false;
  /** how long an idle connection is kept, milliseconds */
  readonly keepAliveMs: number;
}

export interface FastPathDeps {
  readonly dispatcher: Dispatcher;
  /** wall time */
  readonly clock: Clock;
  /** see {@link ResponseHeads} */
  readonly position?: (() => string) | undefined;
  /** Makes Node's HTTP server read the connection from here on. */
  readonly handOver: (socket: Socket) => void;
}

/** This decoder is stateless, since each byte is a character. */
const LATIN1 = new StringDecoder('latin1');
/** At least so many bytes are converted to a string at a time; more than a head may have. */
const WINDOW = 64 * 1024;
/** Idle connections are looked for this many times within the time for which a connection is kept. */
const SWEEPS = 10;
/** Maximum number of concurrent requests of one connection. */
const MAX_RUNNING = 64;
/** Characters of a long answer that are sent at a time, which takes about a millisecond. */
const PIECE = 256 * 1024;
/** An answer of at most so many characters is appended to the text before it and written together with it. */
const APPENDED = 32 * 1024;
/** The response of Node's HTTP server if the client ends the connection in the middle of a request. */
const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';

/**
 * Answers plain JSON-RPC requests (see {@link PlainHeads}) directly on the socket, which takes half the time of Node's HTTP server. When
 * any other request arrives, Node's HTTP server takes over the connection permanently, from the first byte of this request on.
 */
export class FastPath {
  readonly #connections = new Set<Connection>();
  readonly #options: FastPathOptions;
  readonly #clock: Clock;
  readonly #connection: ConnectionDeps;
  /** connections that were answered in this turn of the event loop */
  readonly #answered = new Set<Connection>();
  /** whether several connections were answered in the last turn with answers */
  #hasSeveral = false;
  /** the connection that was answered last */
  #last: Connection | undefined;
  #sweeping: Disposable | undefined;

  constructor(options: FastPathOptions, { dispatcher, clock, position, handOver }: FastPathDeps) {
    this.#options = options;
    this.#clock = clock;
    this.#connection = {
      dispatcher,
      requestHeads: new PlainHeads(options),
      responseHeads: new ResponseHeads(options, { clock, position }),
      isMember: position !== undefined,
      handOver,
      onAnswer: this.#sendSoon,
      onLeft: (connection) => {
        this.#connections.delete(connection);
        if (this.#last === connection) this.#last = undefined;
      },
    };
  }

  /** Takes a new connection. */
  accept(socket: Socket): void {
    this.#connections.add(new Connection(socket, this.#connection));
    this.#sweeping ??= this.#clock.every(this.#options.keepAliveMs / SWEEPS, () => {
      for (const connection of this.#connections) connection.sweep();
    });
  }

  /**
   * Writing to a client that is waiting takes several times as long as writing to a client that is running, because it wakes the client up.
   * So if several connections are answered in each turn of the event loop, their answers are written together at the end of the turn. If
   * only one connection was answered in the last turn, it is answered at once, since nothing would be gained by waiting; if it is also the
   * one that was answered last, the end of the turn isn't scheduled. While long runs take turns, every connection is answered at once,
   * because the end of the turn may be far off.
   */
  readonly #sendSoon = (connection: Connection): void => {
    const isAlone = connection === this.#last && this.#answered.size === 0 && !this.#hasSeveral;
    this.#last = connection;
    if (isAlone || this.#connection.dispatcher.isBusy) {
      connection.proceed();
      return;
    }
    if (this.#answered.size === 0) setImmediate(this.#endTurn);
    this.#answered.add(connection);
    if (!this.#hasSeveral) connection.proceed();
  };

  readonly #endTurn = (): void => {
    const answered = [...this.#answered];
    this.#answered.clear();
    this.#hasSeveral = answered.length > 1;
    for (const each of answered) each.proceed();
  };

  /** Closes idle connections at once, and the others when their requests have been answered. */
  stop(): void {
    this.#sweeping?.[Symbol.dispose]();
    for (const connection of this.#connections) connection.stop();
  }

  /** Closes all connections. */
  cut(): void {
    for (const connection of this.#connections) connection.cut();
  }
}

interface ConnectionDeps {
  readonly dispatcher: Dispatcher;
  readonly requestHeads: PlainHeads;
  readonly responseHeads: ResponseHeads;
  /** whether the node shares a log with others, so that answers contain log positions */
  readonly isMember: boolean;
  readonly handOver: (socket: Socket) => void;
  /** Called when an answer may be sent: {@link Connection.proceed} sends the available answers. */
  readonly onAnswer: (connection: Connection) => void;
  /** Called when the connection was closed or handed over. */
  readonly onLeft: (connection: Connection) => void;
}

/** A request and its answer, which may still be computed. */
interface Exchange {
  answer: Promise<Answer> | Answer;
  readonly forwarded: ForwardedRequest | undefined;
}

/** One connection. Pipelined requests run concurrently; their answers are sent in the order of the requests. */
class Connection {
  readonly #socket: Socket;
  readonly #unqueued: UnqueuedSocket;
  readonly #deps: ConnectionDeps;
  /** received bytes from the first unread request on */
  #chunks: Buffer[] = [];
  /** the number of these bytes */
  #received = 0;
  /** the number of bytes that must have been received before they are read again */
  #needed = 1;
  /** requests whose answers aren't sent yet, in order */
  readonly #exchanges: Exchange[] = [];
  /** whether an answer is being sent in pieces */
  #isSending = false;
  /** that answer, if it isn't complete yet */
  #stream: JsonStream | undefined;
  /** continues the stream when the socket has room, or is closed */
  #onRoom: (() => void) | undefined;
  #hasAnswered = false;
  /** whether the next request must be handled by Node's HTTP server */
  #isForNode = false;
  /** whether the client has ended its side of the connection */
  #hasEnded = false;
  /** whether to close the connection after answering the requests that were read */
  #closes = false;
  /** number of sweeps since the first byte of the incomplete request; since the last answer if there is no incomplete request */
  #age = 0;

  constructor(socket: Socket, deps: ConnectionDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#unqueued = new UnqueuedSocket(socket, { onChunk: this.#onData, onRoom: this.#onDrain });
    socket.on('drain', this.#onDrain).on('end', this.#onEnd);
    socket.on('error', this.#onError).on('close', this.#onClose);
  }

  /**
   * Called periodically. Closes an idle connection. A connection that has sent nothing yet, or only a part of a request, is handed over to
   * Node's HTTP server, which has time limits for this, also if more bytes arrive slowly.
   */
  sweep(): void {
    if (this.#isRunning) {
      this.#age = 0;
      return;
    }
    if (++this.#age < 2) return;
    if (this.#received > 0 || !this.#hasAnswered) this.#handOver();
    else if (this.#age > SWEEPS) this.#socket.destroy();
  }

  /** Closes the connection when the running requests have been answered. */
  stop(): void {
    this.#closes = true;
    if (!this.#isRunning) this.#socket.destroySoon();
  }

  cut(): void {
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    const isFirst = this.#received === 0;
    if (isFirst) this.#age = 0;
    this.#received += chunk.length;
    if (isFirst && this.#received >= this.#needed) this.#read(chunk);
    else {
      this.#chunks.push(chunk);
      if (this.#received >= this.#needed) this.#readChunks();
    }
  };

  readonly #onDrain = (): void => {
    this.#onRoom?.();
    this.#proceed();
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    this.#proceed();
  };

  readonly #onError = (): void => void this.#socket.destroy();

  readonly #onClose = (): void => {
    this.#deps.dispatcher.leave(this);
    this.#stream?.cancel();
    this.#onRoom?.();
    for (const { answer } of this.#exchanges) if (answer instanceof JsonStream) answer.cancel();
    this.#deps.onLeft(this);
  };

  get #isRunning(): boolean {
    return this.#exchanges.length > 0 || this.#isSending;
  }

  /** Whether no further request may be started. */
  get #isFull(): boolean {
    return this.#exchanges.length >= MAX_RUNNING || this.#unqueued.isFull;
  }

  #readChunks(): void {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#read(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  }

  /** Starts the requests that have arrived. @param bytes all unread bytes */
  #read(bytes: Buffer): void {
    // Converts all heads and bodies at once: until V8 has compiled it, a conversion takes microseconds, latin1 the fewest. Bodies of
    // megabytes are excluded, since converting them would block other work for too long.
    const isLong = bytes.length > WINDOW;
    let text = LATIN1.write(isLong ? bytes.subarray(0, WINDOW) : bytes);
    let from = 0;
    let at = 0;
    this.#needed = 1;
    while (at < bytes.length && !this.#isFull && !this.#isForNode && !this.#closes) {
      if (isLong && at + HEAD_LIMIT > from + text.length && from + text.length < bytes.length) {
        from = at;
        text = LATIN1.write(bytes.subarray(from, from + WINDOW));
      }
      const next = this.#readRequest(bytes, text, from, at);
      if (next === undefined) break;
      at = next;
    }
    if (at > 0) this.#age = 0;
    if (at < bytes.length) this.#chunks.push(bytes.subarray(at));
    this.#received = bytes.length - at;
    if (this.#exchanges.length > 0 && !this.#isForNode) this.#deps.onAnswer(this);
    else this.#proceed();
  }

  /**
   * Reads one request.
   * @param text the bytes as ISO 8859-1, one character per byte: at least as many as a head may have, or all
   * @param from position of the text in the bytes
   * @param at position of the request in the bytes
   * @returns the position of the next request; `undefined` if this one is incomplete, or not plain
   */
  #readRequest(bytes: Buffer, text: string, from: number, at: number): number | undefined {
    const begin = at - from;
    const end = text.indexOf('\r\n\r\n', begin);
    if (end < 0) {
      this.#needed = bytes.length - at + 1;
      this.#isForNode =
        this.#needed > HEAD_LIMIT || !this.#deps.requestHeads.mayBecomePlain(text.slice(begin));
      return undefined;
    }
    const isTooLong = end + 4 - begin > HEAD_LIMIT;
    const head = isTooLong ? undefined : this.#deps.requestHeads.read(text.slice(begin, end + 4));
    const start = from + end + 4;
    const next = start + (head?.length ?? 0);
    // Node's HTTP server decides what to do with bytes after a request that closes the connection.
    if (!head || (head.closes && next < bytes.length)) {
      this.#isForNode = true;
      return undefined;
    }
    if (next > bytes.length) {
      this.#needed = next - at;
      return undefined;
    }
    this.#closes ||= head.closes;
    if (next - start > WINDOW) this.#run(bytes.subarray(start, next));
    else {
      const body =
        next - from > text.length
          ? bytes.toString('latin1', start, next)
          : text.slice(start - from, next - from);
      // ASCII is the same in both encodings.
      this.#run(Buffer.byteLength(body) === body.length ? body : bytes.toString('utf8', start, next));
    }
    return next;
  }

  #run(text: string | Buffer): void {
    const forwarded = this.#deps.isMember ? new ForwardedRequest() : undefined;
    const exchange: Exchange = {
      answer: this.#deps.dispatcher.handleText(text, undefined, this, forwarded),
      forwarded,
    };
    this.#exchanges.push(exchange);
    if (exchange.answer instanceof Promise)
      void exchange.answer.then((answer) => {
        exchange.answer = answer;
        if (!this.#socket.destroyed) this.#deps.onAnswer(this);
        else if (answer instanceof JsonStream) answer.cancel();
      });
  }

  /** Sends the available answers, and does what follows. */
  proceed(): void {
    // If the answers have already been sent, what follows has been done, too.
    if (this.#exchanges.length > 0 && !this.#socket.destroyed) this.#proceed();
  }

  #proceed(): void {
    this.#sendAnswers();
    if (!this.#isRunning && (this.#closes || this.#hasEnded || this.#isForNode)) {
      if (this.#closes) this.#socket.destroySoon();
      else if (this.#hasEnded) this.#socket.end(this.#received > 0 ? BAD_REQUEST : '');
      else this.#handOver();
    } else if (this.#isFull) {
      this.#unqueued.queue();
      this.#socket.pause();
    } else if (this.#received >= this.#needed && !this.#isForNode && !this.#closes) this.#readChunks();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #sendAnswers(): void {
    const exchanges = this.#exchanges;
    let text = '';
    let isAscii = true;
    while (exchanges.length > 0 && !this.#isSending && !(exchanges[0]!.answer instanceof Promise)) {
      const { answer, forwarded } = exchanges.shift()! as Exchange & { answer: Answer };
      const closes = this.#closes && exchanges.length === 0;
      this.#hasAnswered = true;
      if (answer instanceof JsonStream) {
        text += this.#deps.responseHeads.chunked(closes, forwarded);
        void this.#sendStream(answer);
      } else if (answer === undefined) text += this.#deps.responseHeads.empty(closes, forwarded);
      else if (answer instanceof EncodedResponse) {
        const [before, result, after] = answer.parts;
        // Corked writes go out together, without a copy.
        this.#socket.cork();
        this.#socket.write(text + this.#deps.responseHeads.whole(answer.length, closes, forwarded) + before);
        this.#socket.write(result);
        this.#socket.write(after);
        this.#socket.uncork();
        text = '';
        isAscii = true;
      } else {
        const length = Buffer.byteLength(answer);
        text += this.#deps.responseHeads.whole(length, closes, forwarded);
        if (answer.length > PIECE) void this.#sendPieces(answer);
        else if (text.length + answer.length > APPENDED && length === answer.length) {
          // Corked writes go out together, without copying the answer.
          this.#socket.cork();
          this.#socket.write(text, isAscii ? 'latin1' : 'utf8');
          this.#socket.write(answer, 'latin1');
          this.#socket.uncork();
          text = '';
          isAscii = true;
        } else {
          text += answer;
          isAscii &&= length === answer.length;
        }
      }
    }
    // ASCII needs no conversion.
    if (text !== '') this.#unqueued.write(text, isAscii ? 'latin1' : 'utf8');
  }

  /** Sends an answer in chunks. If it fails midway, the connection is cut, so that an incomplete answer doesn't look complete. */
  async #sendStream(stream: JsonStream): Promise<void> {
    const cut = () => this.#socket.destroy();
    this.#stream = stream;
    stream.signal.addEventListener('abort', cut);
    await this.#sendSlowly(async () => {
      try {
        for await (const text of stream) {
          const length = Buffer.byteLength(text);
          const chunk = `${length.toString(16)}\r\n${text}\r\n`;
          // ASCII needs no conversion.
          await this.#write(chunk, length === text.length ? 'latin1' : 'utf8');
        }
      } finally {
        stream.signal.removeEventListener('abort', cut);
        this.#stream = undefined;
      }
      this.#socket.write('0\r\n\r\n');
    });
  }

  /** Sends a long answer in pieces, between which other work can run. */
  #sendPieces(text: string): Promise<void> {
    return this.#sendSlowly(async () => {
      for (let at = 0; at < text.length && !this.#socket.destroyed; ) {
        // Doesn't split a surrogate pair, which is one character in UTF-8.
        const splitsPair = (text.charCodeAt(at + PIECE) & 0xfc00) === 0xdc00;
        const end = at + PIECE + (splitsPair ? 1 : 0);
        await this.#write(text.slice(at, end));
        await giveWay();
        at = end;
      }
    });
  }

  /** Sends an answer asynchronously, after its head, which is being written now. */
  async #sendSlowly(send: () => Promise<void>): Promise<void> {
    this.#isSending = true;
    try {
      await Promise.resolve();
      await send();
    } catch {
      this.#socket.destroy();
    }
    this.#isSending = false;
    if (!this.#socket.destroyed) this.#proceed();
  }

  /** @returns a promise if the client must read before more can be written */
  #write(text: string, encoding: 'latin1' | 'utf8' = 'utf8'): Promise<void> | undefined {
    return this.#socket.write(text, encoding) ? undefined : this.#drained();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }

  #handOver(): void {
    const socket = this.#socket;
    socket.off('data', this.#onData).off('drain', this.#onDrain).off('end', this.#onEnd);
    socket.off('error', this.#onError).off('close', this.#onClose);
    this.#deps.onLeft(this);
    this.#unqueued.queue();
    // A flowing socket without a reader would lose these bytes.
    socket.pause();
    if (this.#received > 0) socket.unshift(Buffer.concat(this.#chunks));
    this.#deps.handOver(socket);
    socket.resume();
  }
}
