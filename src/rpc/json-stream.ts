import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';

/** Size of a piece in characters; also how much text is buffered before the producer waits for the reader. */
const CHUNK = 64 * 1024;

/** How long a producer has to end its text after its time is over, in milliseconds. */
const GRACE_MS = 1_000;

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

/** A sink whose text can end early. */
export interface EndableSink extends TextSink {
  /**
   * Ends a text that can't be completed: the reader gets the text so far and, in the same response, the error. Must be the last call.
   * @param closing completes the text so that it is valid JSON
   * @throws `error` if the reader has no part of the text yet (the error is then the whole answer), or no longer reads
   */
  end(closing: string, error: unknown): void;
}

/**
 * JSON text that is produced while it is sent, for answers that don't fit into memory. It can be read once. The producer waits for the
 * reader, so that only about one piece of text is buffered.
 */
export class JsonStream implements AsyncIterable<string> {
  #text = '';
  #before = '';
  #after: (error?: DevnetError) => string = () => '';
  /** whether a part of the text may already be sent */
  #isOpen = false;
  #made = false;
  #failure: { readonly error: unknown } | undefined;
  /** why the text ended early, if it is valid JSON nevertheless */
  #shortened: DevnetError | undefined;
  /** why the producer has to end the text now */
  #stop: DevnetError | undefined;
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
   * Starts the producer. Resolves when the first piece is ready.
   * @throws the error that `make` throws before that
   */
  static async open(make: (sink: EndableSink) => Promise<unknown>): Promise<JsonStream> {
    const stream = new JsonStream();
    stream.#finished = stream.#make(make);
    // The reader gets the error, too, so this promise needs no other handler.
    stream.#finished.catch(() => {});
    await stream.#piece();
    stream.#isOpen = true;
    return stream;
  }

  /** Resolves when the whole text has been produced; rejects if the stream failed, was cancelled or ended early. */
  get finished(): Promise<void> {
    return this.#finished;
  }

  /** Whether the whole text has been produced. */
  get complete(): boolean {
    return this.#made && !this.#failure && !this.#shortened;
  }

  /** Aborts when the stream fails, for a reader that is waiting for something else. */
  get signal(): AbortSignal {
    return this.#aborted.signal;
  }

  /** Adds text before and after the stream's. @param after receives the error if the text ended early */
  enclose(before: string, after: (error?: DevnetError) => string): this {
    this.#before = before;
    this.#after = after;
    return this;
  }

  /**
   * Limits the time of a stream that is being read. The text is ended early when the reader has waited for pieces for a total of `ms`
   * milliseconds. The stream fails if the reader takes longer than that for one piece, or if the producer doesn't end.
   */
  limitTime(clock: Clock, ms: number): void {
    this.#timeLimit = { clock, ms };
  }

  /**
   * Stops the producer. Has no effect if the whole text has been produced.
   * @param error the error for the reader; default: that the caller is gone
   */
  cancel(error?: unknown): void {
    this.#stallTimer?.[Symbol.dispose]();
    // Creating an error takes microseconds, and most streams have ended by now.
    if (!this.#made) this.#fail(error ?? new DevnetError('server', { reason: 'the caller is gone' }));
  }

  /**
   * Reads the whole text.
   * @param tooLong creates the error that is thrown if the text has more than `limit` characters; the rest isn't produced then
   * @throws the error with which the text ended early
   */
  async collect(limit: number, tooLong: () => DevnetError): Promise<string> {
    const pieces: string[] = [];
    let length = 0;
    for await (const piece of this) {
      pieces.push(piece);
      length += piece.length;
      if (length <= limit) continue;
      const error = tooLong();
      this.cancel(error);
      throw error;
    }
    if (this.#shortened) throw this.#shortened;
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
        const text = before + piece + (last ? this.#after(this.#shortened) : '');
        before = '';
        if (text !== '') yield text;
        if (last) return;
      }
    } finally {
      this.cancel();
    }
  }

  async #make(make: (sink: EndableSink) => Promise<unknown>): Promise<void> {
    try {
      await make({
        write: (text) => this.#write(text),
        room: () => this.#room(),
        end: (closing, error) => this.#end(closing, error),
      });
      if (this.#failure) throw this.#failure.error;
      this.#made = true;
      if (this.#shortened) throw this.#shortened;
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

  #end(closing: string, error: unknown): void {
    if (!this.#isOpen || this.#failure || !(error instanceof DevnetError)) throw error;
    this.#text += closing;
    this.#shortened = error;
  }

  #room(): Promise<void> | undefined {
    if (this.#failure) throw this.#failure.error;
    if (this.#stop) throw this.#stop;
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

  /** Waits until the buffered text has the size of a piece or is complete, and returns it. */
  async #piece(): Promise<string> {
    if (this.#text.length < CHUNK && !this.#made && !this.#failure)
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    if (this.#failure) throw this.#failure.error;
    return this.#text;
  }

  #fail(error: unknown): void {
    if (this.#failure || this.#made) return;
    this.#failure = { error };
    this.#text = '';
    this.#aborted.abort();
    this.#wakeProducer?.();
    this.#wakeReader?.();
  }

  async #pieceInTime(): Promise<string> {
    if (!this.#timeLimit) return this.#piece();
    const { clock, ms } = this.#timeLimit;
    const over = () => new DevnetError('timedOut', { ms });
    const start = clock.now();
    this.#watch(ms - this.#waited, () => {
      const error = over();
      this.#stop = error;
      this.#watch(GRACE_MS, () => this.cancel(error));
    });
    const piece = await this.#piece();
    this.#waited += clock.now() - start;
    this.#watch(ms, () => this.cancel(over()));
    return piece;
  }

  /** Sets the timer that watches the producer or the reader, one at a time. @param left milliseconds */
  #watch(left: number, onOver: () => void): void {
    this.#stallTimer?.[Symbol.dispose]();
    this.#stallTimer = this.#timeLimit!.clock.after(left, onOver);
  }
}
