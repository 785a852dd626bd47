import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { TracedMessage } from '../engine/tracers/messages.ts';
import { USUAL_FOLDERS } from '../sources/artifact-folder.ts';
import type { CompilerRun } from '../sources/build-info.ts';
import type { RanOpcode, SourceLine } from '../sources/source-line.ts';
import type { SourceLines } from './code-lines.ts';
import type { StackTrace } from './stack-trace.ts';
import type { CodeAsked, CodeLayout, StackTracer } from './tracer.ts';

/** A request to the thread: a call of a method of its {@link StackTracer}. */
export interface ThreadRequest {
  readonly id: number;
  readonly method: Method;
  readonly argument: unknown;
}

/** The thread's answer. */
export interface ThreadAnswer {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

/** The thread's script, next to the bundle in the build. It doesn't exist when run from the sources: there is no thread then. */
const SCRIPT = new URL('./stack-trace-worker.js', import.meta.url);
/** The module that the thread runs. The bundle doesn't have it, only the thread's script does. */
const SOURCE = new URL('./tracer.ts', import.meta.url);
/** Most compiler runs that are kept to be sent to a new thread, after the previous one has ended. */
const MAX_RUNS = 100;

type Method = 'trace' | 'sourceOf' | 'lines' | 'layoutOf' | 'add';

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads a project's build infos, which may have hundreds of megabytes, and answers questions about code from them, in a thread. The
 * thread is started by the first question; if its script doesn't exist, the work is done in this thread.
 */
export class StackTraceThread {
  readonly #folder: string | undefined;
  readonly #script: URL;
  readonly #pending = new Map<number, Pending>();
  /** compiler runs that a new thread gets, after the previous one has ended */
  readonly #runs: CompilerRun[] = [];
  #worker: Worker | undefined;
  #own: Promise<StackTracer> | undefined;
  #next = 0;

  /** @param options.folder of artifacts, by default those in the working directory */
  constructor(options: { readonly folder?: string | undefined; readonly script?: URL }) {
    this.#folder = options.folder;
    this.#script = options.script ?? SCRIPT;
  }

  /** Whether there are build infos or added compiler runs; without them nothing needs to be executed again. It checks the disk. */
  get mayKnow(): boolean {
    const roots = this.#folder === undefined ? USUAL_FOLDERS : [this.#folder];
    return this.#runs.length > 0 || roots.some((root) => existsSync(join(root, 'build-info')));
  }

  /**
   * Starts to read the build infos, so that the first question is answered soon. Used when a question is likely, such as when somebody
   * opens the explorer. Does nothing if there is no script for a thread.
   */
  prepare(): void {
    if (!this.mayKnow || !this.#hasThread) return;
    this.lines([]).catch(() => {
      // The thread has ended; the next question starts another one, and fails if that ends as well.
    });
  }

  /**
   * The stack trace of a failed message.
   * @returns `undefined` for a message that succeeded
   * @throws Error if the thread ends before it answers, such as when it runs out of memory
   */
  trace(message: TracedMessage): Promise<StackTrace | undefined> {
    return this.#ask('trace', message);
  }

  /**
   * The source line of an opcode.
   * @returns `undefined` if no build info has the code
   * @throws Error like {@link trace}
   */
  async sourceOf(opcode: RanOpcode): Promise<SourceLine | undefined> {
    return this.mayKnow ? this.#ask('sourceOf', opcode) : undefined;
  }

  /**
   * The source positions of the instructions of several codes.
   * @throws Error like {@link trace}
   */
  lines(codes: readonly CodeAsked[]): Promise<SourceLines> {
    return this.#ask('lines', codes);
  }

  /**
   * The storage layout of the contract that a code was compiled from.
   * @returns `undefined` if no build info has the code
   * @throws Error like {@link trace}
   */
  layoutOf(code: Uint8Array): Promise<CodeLayout | undefined> {
    return this.#ask('layoutOf', code);
  }

  /** Adds a compiler run, whose contracts take precedence over those of the folder. */
  add(run: CompilerRun): void {
    this.#runs.push(run);
    if (this.#runs.length > MAX_RUNS) this.#runs.shift();
    if (this.#worker) void this.#post(this.#worker, 'add', run).catch(() => {});
    void this.#own?.then((tracer) => tracer.add(run));
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  get #hasThread(): boolean {
    return this.#worker !== undefined || existsSync(this.#script);
  }

  #here(): Promise<StackTracer> {
    this.#own ??= (import(SOURCE.href) as Promise<typeof import('./tracer.ts')>).then(
      ({ StackTracer: Tracer }) => {
        const tracer = new Tracer({ folder: this.#folder });
        for (const run of this.#runs) tracer.add(run);
        return tracer;
      },
    );
    return this.#own;
  }

  async #ask<M extends Method>(
    method: M,
    argument: Parameters<StackTracer[M]>[0],
  ): Promise<Awaited<ReturnType<StackTracer[M]>>> {
    type Answer = Awaited<ReturnType<StackTracer[M]>>;
    if (!this.#hasThread) return (await this.#here())[method](argument as never) as Answer;
    this.#worker ??= this.#start();
    return this.#post(this.#worker, method, argument) as Promise<Answer>;
  }

  #post(worker: Worker, method: Method, argument: unknown): Promise<unknown> {
    const request: ThreadRequest = { id: this.#next++, method, argument };
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { resolve, reject });
      worker.ref();
      worker.postMessage(request);
    });
  }

  #start(): Worker {
    const worker = new Worker(fileURLToPath(this.#script), { workerData: { folder: this.#folder } });
    worker.unref();
    worker.on('message', ({ id, answer, error }: ThreadAnswer) => {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (this.#pending.size === 0) worker.unref();
      if (error === undefined) pending?.resolve(answer);
      else pending?.reject(new Error(error));
    });
    // A thread that fails emits `error` before `exit`.
    for (const event of ['error', 'exit'])
      worker.on(event, () => {
        if (this.#worker !== worker) return;
        this.#worker = undefined;
        for (const { reject } of this.#pending.values())
          reject(new Error('the thread of stack traces has ended'));
        this.#pending.clear();
      });
    for (const run of this.#runs) void this.#post(worker, 'add', run).catch(() => {});
    return worker;
  }
}
