import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';

/** Characters of one piece. As many wait for the reader before the maker does. */
const CHUNK = 64 * 1024;

/** Where the maker of a stream puts its text. */
export interface TextSink {
  /** Takes JSON text, in pieces of any size. */
  write(text: string): void;
  /**
   * What the maker awaits before it goes on; `undefined` when there is no need to wait.
   * @throws, or rejects with, the reason why nobody reads on
   */
  room(): Promise<void> | undefined;
}

/**
 * JSON text that is made while it is sent, for answers that don't fit into memory. One reader, once. The maker waits
 * for the reader, so that no more than a piece of text lies between them.
 */
export class JsonStream implements AsyncIterable<string> {
  #text = '';
  #before = '';
  #after = '';
  #made = false;
  #failure: { readonly error: unknown } | undefined;
  #wakeMaker: (() => void) | undefined;
  #wakeReader: (() => void) | undefined;
  #stallLimit: { readonly clock: Clock; readonly ms: number } | undefined;
  #stallTimer: Disposable | undefined;
  #finished: Promise<void> = Promise.resolve();
  readonly #aborted = new AbortController();

  private constructor() {}

  /**
   * Starts the making; resolves with the first piece at hand.
   * @throws what `make` throws until then
   */
  static async open(make: (sink: TextSink) => Promise<unknown>): Promise<JsonStream> {
    const stream = new JsonStream();
    stream.#finished = stream.#make(make);
    // Told to the reader, too: it is no unhandled rejection when nobody asks here.
    stream.#finished.catch(() => {});
    await stream.#piece();
    return stream;
  }

  /** Settles when the text is made; rejects when it ended early. */
  get finished(): Promise<void> {
    return this.#finished;
  }

  /** Whether all of the text is at hand. */
  get complete(): boolean {
    return this.#made && !this.#failure;
  }

  /** Aborts when the stream has failed, while its reader may be waiting for somebody else. */
  get signal(): AbortSignal {
    return this.#aborted.signal;
  }

  /** Puts the text between two others. */
  enclose(before: string, after: string): this {
    this.#before = before;
    this.#after = after;
    return this;
  }

  /** Fails when the reader, once it has begun, gets or takes no piece for so long. */
  limitStalls(clock: Clock, ms: number): void {
    this.#stallLimit = { clock, ms };
  }

  /** Ends the making; the reader gets `error`. Nothing happens when all is made. */
  cancel(error: unknown = new DevnetError('server', { reason: 'the caller is gone' })): void {
    this.#stallTimer?.[Symbol.dispose]();
    if (!this.#made) this.#fail(error);
  }

  /** The whole text. @throws `tooLong` when it has more than `limit` characters; the rest isn't made then */
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

  /** @throws what ended the text early */
  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    try {
      let before = this.#before;
      for (;;) {
        this.#watch();
        const piece = await this.#piece();
        this.#text = '';
        this.#wakeMaker?.();
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
      this.#wakeMaker = resolve;
    });
    // An engine that runs without a pause would let nobody else have a turn, a caller who hangs up included.
    await setImmediate();
    if (this.#failure) throw this.#failure.error;
  }

  /** The text at hand, as soon as it is a piece or the last. */
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
    this.#wakeMaker?.();
    this.#wakeReader?.();
  }

  #watch(): void {
    if (!this.#stallLimit) return;
    const { clock, ms } = this.#stallLimit;
    this.#stallTimer?.[Symbol.dispose]();
    this.#stallTimer = clock.after(ms, () => this.cancel(new DevnetError('timedOut', { ms })));
  }
}
