import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type ComparedFile, type ComparedFileOptions, replayFile } from './replay-file.ts';
import type { Replayed } from './replay-tally.ts';

/** The messages between the main thread and a worker thread. */
export interface WorkerRequest {
  readonly path: string;
  readonly options: Omit<ComparedFileOptions, 'onProgress'>;
}
export type WorkerAnswer =
  | { readonly outcome: ComparedFile }
  | { readonly error: string }
  | { readonly progress: Replayed };

/**
 * The worker's script, next to the bundle in the build. When devnet runs from its sources the script doesn't exist, and no threads are
 * used.
 */
const WORKER = new URL('./replay-worker.js', import.meta.url);

export function hasThreads(script = WORKER): boolean {
  return existsSync(script);
}

/**
 * Replays files one after the other in a worker thread; when devnet runs from its sources, in the current thread. A thread that dies is
 * replaced.
 */
export class ReplayThread {
  readonly #script: URL;
  #worker: Worker | undefined;

  /** @param script see `worker.ts` */
  constructor(script = WORKER) {
    this.#script = script;
  }

  /** @throws Error when the file isn't a fixture, or when the thread died: the next file gets a new thread */
  run(path: string, { onProgress, ...options }: ComparedFileOptions): Promise<ComparedFile> {
    if (!hasThreads(this.#script)) return replayFile(path, { onProgress, ...options });
    this.#worker ??= this.#start();
    return ask(this.#worker, { path, options }, onProgress);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(fileURLToPath(this.#script));
    // A failing worker emits `error` before `exit`.
    for (const event of ['error', 'exit'])
      worker.on(event, () => {
        if (this.#worker === worker) this.#worker = undefined;
      });
    return worker;
  }
}

function ask(
  worker: Worker,
  request: WorkerRequest,
  onProgress: ComparedFileOptions['onProgress'],
): Promise<ComparedFile> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      worker.off('message', listen);
      worker.off('error', fail);
      worker.off('exit', exited);
      settle();
    };
    const fail = (error: Error) => end(() => reject(error));
    const exited = (code: number) => fail(new Error(`the thread ended with ${code}`));
    const listen = (answer: WorkerAnswer) => {
      if ('progress' in answer) onProgress?.(answer.progress);
      else if ('outcome' in answer) end(() => resolve(answer.outcome));
      else fail(new Error(answer.error));
    };
    worker.on('message', listen);
    worker.on('error', fail);
    worker.on('exit', exited);
    worker.postMessage(request);
  });
}
