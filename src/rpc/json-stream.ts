import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';

/** Size of one piece in characters; also how much text is buffered before the producer waits for the reader. */
const CHUNK = 64 * 1024;

/** Receives the text of a stream's producer. */
export interface TextSink {
  /** Takes JSON text, in pieces of any size. */
  write(text: string): void;
  /**
   * A promise that the producer awaits before it continues; `undefined` when the buffer has room.
   * @throws, or rejects with, the reason why the stream was cancelled
   */
  room(): Promise<void> | undefined;
}

/**
 * JSON text that is produced while it is sent, for answers that don't fit into memory. It can be read once. The
 * producer waits for the reader, so that about one piece of text is buffered.
 */
export class JsonStream implements AsyncIterable<string> {
  #text = '';
  #before = '';
  #after = '';
  #made = false;
  #failure: { readonly error: unknown } | undefined;
  #wakeProducer: (() => void) | undefined;
  #wakeReader: (() => void) | undefined;
  #timeLimit: { readonly clock: Clock; readonly ms: number } | undefined;
  /** milliseconds that the reader has waited for pieces */
  #waited = 0;
  #stallTimer: Disposable | undefined;
  #finished: Promise<void> = Promise.resolve();
  readonly #aborted = new AbortController();

  private constructor() {}

  /**
   * Starts the producer; resolves when the first piece is ready.
   * @throws what `make` throws before that
   */
  static async open(make: (sink: TextSink) => Promise<unknown>): Promise<JsonStream> {
    const stream = new JsonStream();
    stream.#finished = stream.#make(make);
    // The reader gets the error as well, so this promise may stay unused without an unhandled rejection.
    stream.#finished.catch(() => {});
    await stream.#piece();
    return stream;
  }

  /** Resolves when the whole text is produced; rejects when the stream failed or was cancelled. */
  get finished(): Promise<void> {
    return this.#finished;
  }

  /** Whether the whole text is produced. */
  get complete(): boolean {
    return this.#made && !this.#failure;
  }

  /** Aborts when the stream fails, for a reader that is waiting for something else at that time. */
  get signal(): AbortSignal {
    return this.#aborted.signal;
  }

  /** Adds text before and after. */
  enclose(before: string, after: string): this {
    this.#before = before;
    this.#after = after;
    return this;
  }

  /**
   * Makes the stream fail when, once reading has begun, its reader has waited for pieces for `ms` milliseconds in all, or
   * doesn't take a piece for as long.
   */
  limitTime(clock: Clock, ms: number): void {
    this.#timeLimit = { clock, ms };
  }

  /** Stops the producer; the reader gets `error`. Has no effect when the whole text is produced. */
  cancel(error: unknown = new DevnetError('server', { reason: 'the caller is gone' })): void {
    this.#stallTimer?.[Symbol.dispose]();
    if (!this.#made) this.#fail(error);
  }

  /** Reads the whole text. @throws `tooLong` above `limit` characters; the rest isn't produced then */
  async collect(limit: number, tooLong: DevnetError): Promise<string> {
    const pieces: string[] = [];
    let length = 0;
    for await (const piece of this) {
      pieces.push(piece);
      length += piece.length;
      if (length <= limit) continue;
      this.cancel(tooLong);
      throw tooLong;
    }
    return pieces.join('');
  }

  /** @throws the error with which the stream failed or was cancelled */
  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    try {
      let before = this.#before;
      for (;;) {
        const piece = await this.#pieceInTime();
        this.#text = '';
        this.#wakeProducer?.();
        const last = this.#made;
        const text = before + piece + (last ? this.#after : '');
        before = '';
        if (text !== '') yield text;
        if (last) return;
      }
    } finally {
      this.cancel();
    }
  }

  async #make(make: (sink: TextSink) => Promise<unknown>): Promise<void> {
    try {
      await make({ write: (text) => this.#write(text), room: () => this.#room() });
      if (this.#failure) throw this.#failure.error;
      this.#made = true;
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      this.#wakeReader?.();
    }
  }

  #write(text: string): void {
    this.#text += text;
    if (this.#text.length >= CHUNK) this.#wakeReader?.();
  }

  #room(): Promise<void> | undefined {
    if (this.#failure) throw this.#failure.error;
    return this.#text.length < CHUNK ? undefined : this.#awaitRoom();
  }

  async #awaitRoom(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wakeProducer = resolve;
    });
    // Give the event loop a turn: otherwise a busy producer would never notice that the client hung up.
    await setImmediate();
    if (this.#failure) throw this.#failure.error;
  }

  /** The buffered text, once it has the size of a piece or is the end. */
  async #piece(): Promise<string> {
    if (this.#text.length < CHUNK && !this.#made && !this.#failure)
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    if (this.#failure) throw this.#failure.error;
    return this.#text;
  }

  #fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error };
    this.#text = '';
    this.#aborted.abort();
    this.#wakeProducer?.();
    this.#wakeReader?.();
  }

  async #pieceInTime(): Promise<string> {
    if (!this.#timeLimit) return this.#piece();
    const { clock, ms } = this.#timeLimit;
    const start = clock.now();
    this.#watch(ms - this.#waited);
    const piece = await this.#piece();
    this.#waited += clock.now() - start;
    this.#watch(ms);
    return piece;
  }

  /** Makes the stream fail after so many milliseconds. */
  #watch(left: number): void {
    const { clock, ms } = this.#timeLimit!;
    this.#stallTimer?.[Symbol.dispose]();
    this.#stallTimer = clock.after(left, () => this.cancel(new DevnetError('timedOut', { ms })));
  }
}
