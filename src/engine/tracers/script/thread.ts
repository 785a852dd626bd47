import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { SystemClock } from '../../../clock.ts';
import { DevnetError } from '../../../errors.ts';
import type { Awaitable } from '../../../state/view.ts';
import type { Pauses } from '../../../turns.ts';

/** Folder of worker.mjs and prelude.js, the programs of the thread and of a tracer's context: beside the sources or the bundle. */
const FOLDER = process.env.DEVNET_SCRIPT_TRACERS ?? './';

/** Maximum number of threads in the process; further requests wait for a free one. */
const MAX_THREADS = 4;
/** The heap of a thread, in MiB. */
const HEAP_MB = 128;
/** Maximum growth of the process while a tracer runs, in bytes: typed arrays don't count as heap. */
const MAX_GROWTH = 512 * 2 ** 20;
/** Interval at which time and memory are checked while a tracer runs, in milliseconds. */
const LOOK_MS = 25;

/** A read of the state: its name and its arguments. Addresses and slots are hex digits without 0x. */
export type StateRead = readonly [name: string, ...of: (string | number)[]];

/** Answers a tracer's read, with a JSON value. */
export type Reader = (read: StateRead) => Awaitable<unknown>;

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Limits the number of threads. Waiting requests are served in order. */
class Places {
  #free = MAX_THREADS;
  readonly #waiting = new Set<() => void>();

  /** @returns `taken`, which resolves when a thread may be started, and `give`, which releases it or cancels the wait */
  take(): { readonly taken: Promise<void>; readonly give: () => void } {
    let give = () => {};
    const taken = new Promise<void>((resolve) => {
      const begin = () => {
        give = () => {
          this.#free++;
          const [next] = this.#waiting;
          if (!next) return;
          this.#waiting.delete(next);
          next();
        };
        this.#free--;
        resolve();
      };
      if (this.#free > 0) begin();
      else {
        this.#waiting.add(begin);
        give = () => void this.#waiting.delete(begin);
      }
    });
    return { taken, give: () => give() };
  }
}

/** Shared by all nodes in the process. */
const places = new Places();

/**
 * The thread in which the JavaScript tracers of one request run, each in its own context. It is started lazily. It reads the state from the
 * main thread, which continues with other work meanwhile.
 */
export class ScriptThread {
  readonly #clock = new SystemClock();
  readonly #readers: Reader[] = [];
  readonly #signal = new Int32Array(new SharedArrayBuffer(4));
  #place: ReturnType<Places['take']> | undefined;
  #worker: Worker | undefined;
  #reads: MessagePort | undefined;
  #started: Promise<void> | undefined;
  #pending: Pending | undefined;
  #failure: Error | undefined;
  #isClosed = false;
  /** resident size of the process when the thread was started, in bytes */
  #size = 0;

  /** Registers a tracer. @returns the id by which requests are sent to it */
  add(reader: Reader): number {
    return this.#readers.push(reader) - 1;
  }

  /**
   * Resolves when the tracers can receive requests.
   * @param pauses the pauses of the request: an abort of the request also ends the wait
   */
  start(pauses: Pauses | undefined): Promise<void> {
    this.#started ??= this.#start(pauses);
    return this.#started;
  }

  /**
   * Sends a request to a tracer; only one at a time.
   * @param text the request as JSON, see `requests` in prelude.js
   * @param due end of the tracer's time, in milliseconds since the Unix epoch
   * @returns the tracer's answer
   * @throws DevnetError -32000 when the tracer has failed, or has used up its time or memory
   */
  async ask(id: number, text: string, due: number, pauses: Pauses | undefined): Promise<unknown> {
    if (this.#isClosed) throw reasoned('the tracer has ended');
    if (this.#failure) throw this.#failure;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
    this.#worker!.postMessage({ id, text });
    return this.#within(answer, pauses, () => {
      if (this.#clock.now() >= due) throw reasoned('execution timeout');
      if (process.memoryUsage.rss() - this.#size > MAX_GROWTH) throw reasoned(TOO_LARGE);
    });
  }

  /** Ends the thread. */
  close(): void {
    this.#isClosed = true;
    void this.#worker?.terminate();
    this.#reads?.close();
    this.#place?.give();
    this.#place = undefined;
  }

  async #start(pauses: Pauses | undefined): Promise<void> {
    this.#place = places.take();
    await this.#within(this.#place.taken, pauses);
    const { port1, port2 } = new MessageChannel();
    this.#reads = port1;
    this.#size = process.memoryUsage.rss();
    port1.on('message', ({ id, read }: { id: number; read: string }) => void this.#read(id, read));
    const worker = new Worker(fileURLToPath(new URL(`${FOLDER}worker.mjs`, import.meta.url)), {
      workerData: {
        prelude: new URL(`${FOLDER}prelude.js`, import.meta.url).href,
        reads: port2,
        signal: this.#signal.buffer,
      },
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      // The thread gets no environment variables or arguments of the process, and can't write to its output.
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    this.#worker = worker;
    const ready = new Promise<unknown>((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
    worker.on('message', ({ answer }: { answer?: string }) => this.#answered(answer));
    worker.on('error', (error: Error & { code?: string }) =>
      this.#fail(
        reasoned(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_LARGE : `the tracer's thread has failed`),
      ),
    );
    worker.on('exit', () => this.#fail(reasoned("the tracer's thread has ended")));
    await this.#within(ready, pauses);
  }

  /** Waits for `work`, and checks regularly whether it must be aborted. */
  async #within<T>(work: Promise<T>, pauses: Pauses | undefined, look?: () => void): Promise<T> {
    // If a check throws, `work` may still reject later, when nothing awaits it any more.
    work.catch(() => {});
    for (;;) {
      let timer: Disposable | undefined;
      const tick = new Promise<typeof LOOK>((resolve) => {
        timer = this.#clock.after(LOOK_MS, () => resolve(LOOK));
      });
      const first = await Promise.race([work, tick]);
      timer?.[Symbol.dispose]();
      if (first !== LOOK) return first;
      look?.();
      if (pauses?.due) await pauses.pause();
    }
  }

  #answered(text: string | undefined): void {
    const { answer, error } =
      text === undefined ? {} : (JSON.parse(text) as { answer?: unknown; error?: string });
    if (error === undefined) this.#pending?.resolve(answer);
    else this.#pending?.reject(reasoned(error));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#pending?.reject(this.#failure);
  }

  async #read(id: number, read: string): Promise<void> {
    let text: string;
    try {
      text = JSON.stringify({ answer: await this.#readers[id]!(JSON.parse(read) as StateRead) });
    } catch (error) {
      text = JSON.stringify({
        error: error instanceof DevnetError ? error.message : 'the state could not be read',
      });
    }
    this.#reads!.postMessage(text);
    Atomics.store(this.#signal, 0, 1);
    Atomics.notify(this.#signal, 0);
  }
}

const LOOK = Symbol('look');
const TOO_LARGE = `the tracer needs more memory than it may have: ${HEAP_MB} MiB of heap`;

function reasoned(reason: string): DevnetError {
  return new DevnetError('server', { reason });
}
