import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Storing } from './fill.ts';

/** The messages between the main thread and the thread that fills LevelDB. */
export interface FillRequest {
  readonly bytes: Uint8Array;
  readonly range: { readonly from: number; readonly to: number };
  readonly storing: Storing;
}
/** The first answer means that the thread is ready; each later one, that a request is done. */
export interface FillAnswer {
  readonly error?: { readonly message: string; readonly code: unknown };
}

/** The thread's script, next to the bundle in the build. It doesn't exist when run from the sources; there is then no thread. */
const SCRIPT = new URL('./fill-worker.js', import.meta.url);

/** The thread ended before it had finished a request. */
export class ThreadLost extends Error {}

/**
 * A worker thread that writes the gathered changes to LevelDB: preparing the thousands of entries of a buffer takes more time
 * than all other steps of storing its blocks.
 */
export class FillThread {
  readonly #worker: Worker;
  readonly #started: Promise<void>;
  #isReady = false;
  #hasEnded = false;
  #pending: { resolve: () => void; reject: (error: Error) => void } | undefined;

  private constructor(script: URL, path: string) {
    this.#worker = new Worker(fileURLToPath(script), { workerData: { path } });
    this.#worker.unref();
    this.#started = new Promise((resolve) => {
      for (const event of ['message', 'error', 'exit']) this.#worker.once(event, () => resolve());
    });
    this.#worker.on('message', (answer: FillAnswer) => this.#answered(answer));
    // A failing thread emits `error` before `exit`.
    this.#worker.on('error', () => {});
    this.#worker.on('exit', () => {
      this.#hasEnded = true;
      this.#settle((pending) => pending.reject(new ThreadLost('the thread that fills LevelDB has ended')));
    });
  }

  /**
   * @param path path of a database that the calling thread has open, with access for several threads
   * @returns `undefined` if there is no script
   */
  static start(path: string, script: URL = SCRIPT): FillThread | undefined {
    return existsSync(script) ? new FillThread(script, path) : undefined;
  }

  /** Resolves when the thread is ready, or has failed to start. */
  started(): Promise<void> {
    return this.#started;
  }

  /** Whether the thread has opened the database, and accepts requests. */
  get isReady(): boolean {
    return this.#isReady && !this.#hasEnded;
  }

  /**
   * See `fill` in `fill.ts`. Only one call at a time. Transfers the bytes to the thread.
   * @throws the error of LevelDB, or ThreadLost
   */
  fill(request: FillRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#worker.ref();
      this.#worker.postMessage(request, [request.bytes.buffer as ArrayBuffer]);
    });
  }

  /** Ends the thread, and closes its handle of the database. */
  async close(): Promise<void> {
    if (this.#hasEnded) return;
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.ref();
    this.#worker.postMessage(undefined);
    await ended;
  }

  #answered({ error }: FillAnswer): void {
    this.#isReady = true;
    this.#settle((pending) => {
      if (error) pending.reject(Object.assign(new Error(error.message), { code: error.code }));
      else pending.resolve();
    });
  }

  #settle(settle: (pending: { resolve: () => void; reject: (error: Error) => void }) => void): void {
    const pending = this.#pending;
    this.#pending = undefined;
    this.#worker.unref();
    if (pending) settle(pending);
  }
}
