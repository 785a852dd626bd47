import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type FileOutcome, type ReplayFileOptions, replayFixture } from './replay-file.ts';

/** The messages between the main thread and a worker thread. */
export interface WorkerRequest {
  readonly path: string;
  readonly options: { readonly bail: boolean; readonly update: boolean };
}
export type WorkerAnswer =
  | { readonly outcome: FileOutcome }
  | { readonly error: string }
  | { readonly progress: number };

type Runner = (path: string, options: ReplayFileOptions) => Promise<FileOutcome>;

/** The worker's script, next to the bundle in the build. When run from the sources there is none, and no threads. */
const WORKER = new URL('./replay-worker.js', import.meta.url);

/**
 * Replays files, several at a time in threads.
 * @param options.onFile called with each result, in the order of `paths`
 * @param options.onProgress called with the number of finished files, including fractions of running ones
 * @param options.worker script of the threads; see `worker.ts`
 * @returns whether all passed
 */
export async function replayFiles(
  paths: readonly string[],
  options: {
    bail: boolean;
    update: boolean;
    onFile: (outcome: FileOutcome) => void;
    onProgress?: ((done: number) => void) | undefined;
    threads?: number;
    worker?: URL;
  },
): Promise<boolean> {
  const { worker: script = WORKER } = options;
  const most = options.threads ?? availableParallelism();
  const threads = existsSync(script) ? Math.min(most, paths.length) : 1;
  const outcomes: (FileOutcome | undefined)[] = [];
  const shares: number[] = paths.map(() => 0);
  let next = 0;
  let reported = 0;
  let pass = true;
  const report = () => {
    for (let outcome = outcomes[reported]; outcome; outcome = outcomes[reported]) {
      options.onFile(outcome);
      reported++;
    }
  };
  const work = async (run: Runner) => {
    while (next < paths.length && (pass || !options.bail)) {
      const i = next++;
      const path = paths[i]!;
      const onProgress = (share: number) => {
        shares[i] = share;
        options.onProgress?.(shares.reduce((sum, part) => sum + part, 0));
      };
      const { bail, update } = options;
      const outcome = await run(path, { bail, update, onProgress }).catch(
        (error: Error): FileOutcome => ({
          path,
          pass: false,
          cases: { [path]: { pass: false, lastblockhash: '0x', error: error.message } },
        }),
      );
      onProgress(1);
      outcomes[i] = outcome;
      pass &&= outcome.pass;
      report();
    }
  };
  if (threads === 1) await work(replayFixture);
  else
    await Promise.all(
      Array.from({ length: threads }, async () => {
        let worker: Worker | undefined;
        try {
          await work((path, wanted) => {
            worker ??= start(script, (ended) => {
              if (worker === ended) worker = undefined;
            });
            return ask(worker, path, wanted);
          });
        } finally {
          await worker?.terminate();
        }
      }),
    );
  return pass;
}

/** Starts a worker thread. @param onEnd called when it fails or exits: the next file needs another thread */
function start(script: URL, onEnd: (worker: Worker) => void): Worker {
  const worker = new Worker(fileURLToPath(script));
  // A failing worker emits `error` before `exit`.
  for (const event of ['error', 'exit']) worker.on(event, () => onEnd(worker));
  return worker;
}

function ask(
  worker: Worker,
  path: string,
  { bail = false, update = false, onProgress }: ReplayFileOptions,
): Promise<FileOutcome> {
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
    worker.postMessage({ path, options: { bail, update } } satisfies WorkerRequest);
  });
}
