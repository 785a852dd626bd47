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

/** What the thread is asked: to call a method of its {@link StackTracer}. */
export interface ThreadRequest {
  readonly id: number;
  readonly method: Method;
  readonly argument: unknown;
}

/** What that came to. */
export interface ThreadAnswer {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

/** The thread's script, next to the bundle in the build. When run from the sources there is none, and no thread. */
const SCRIPT = new URL('./stack-trace-worker.js', import.meta.url);
/** What the thread runs. The bundle doesn't have it: it is in the thread's script. */
const SOURCE = new URL('./tracer.ts', import.meta.url);
/** Runs of the compiler that a thread gets which takes the place of one that has ended. */
const MOST_RUNS = 100;

type Method = 'trace' | 'sourceOf' | 'lines' | 'layoutOf' | 'add';

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads a project's build infos, which may have hundreds of megabytes, and tells what they know of code in a thread of its own. The
 * thread starts when it is first asked; where there is no script the work is done in this one.
 */
export class StackTraceThread {
  readonly #folder: string | undefined;
  readonly #script: URL;
  readonly #pending = new Map<number, Pending>();
  /** for a thread that takes the place of one that has ended */
  readonly #runs: CompilerRun[] = [];
  #worker: Worker | undefined;
  #own: Promise<StackTracer> | undefined;
  #next = 0;

  /** @param options.folder of artifacts, by default those in the working directory */
  constructor(options: { readonly folder?: string | undefined; readonly script?: URL }) {
    this.#folder = options.folder;
    this.#script = options.script ?? SCRIPT;
  }

  /** Whether there may be something to know: without build infos nothing needs to be executed again. It costs a look at the disk. */
  get mayKnow(): boolean {
    const roots = this.#folder === undefined ? USUAL_FOLDERS : [this.#folder];
    return this.#runs.length > 0 || roots.some((root) => existsSync(join(root, 'build-info')));
  }

  /**
   * Begins to read the build infos, so that the first question is answered soon. It is for a user who is likely to ask one, such as
   * somebody who has opened the page. Without a thread of its own it does nothing.
   */
  prepare(): void {
    if (!this.mayKnow || !this.#hasThread) return;
    this.lines([]).catch(() => {
      // The thread has ended; the next question starts another one, and fails where that ends, too.
    });
  }

  /**
   * The stack trace of a message that failed.
   * @returns `undefined` for a message that succeeded
   * @throws Error where the thread ends before it has answered, as for want of memory
   */
  trace(message: TracedMessage): Promise<StackTrace | undefined> {
    return this.#ask('trace', message);
  }

  /**
   * The line of source of an opcode.
   * @returns `undefined` where no build info has the code
   * @throws Error as {@link trace} does
   */
  async sourceOf(opcode: RanOpcode): Promise<SourceLine | undefined> {
    return this.mayKnow ? this.#ask('sourceOf', opcode) : undefined;
  }

  /**
   * The source behind each instruction of several codes.
   * @throws Error as {@link trace} does
   */
  lines(codes: readonly CodeAsked[]): Promise<SourceLines> {
    return this.#ask('lines', codes);
  }

  /**
   * Where the contract that was compiled to a code keeps its state variables.
   * @returns `undefined` for code of no build info
   * @throws Error as {@link trace} does
   */
  layoutOf(code: Uint8Array): Promise<CodeLayout | undefined> {
    return this.#ask('layoutOf', code);
  }

  /** Keeps one more run of the compiler, whose contracts go before those of the folder. */
  add(run: CompilerRun): void {
    this.#runs.push(run);
    if (this.#runs.length > MOST_RUNS) this.#runs.shift();
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
    // A failing thread emits `error` before `exit`.
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
