import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type FileOutcome, type ReplayFileOptions, replayFixture } from './replay-file.ts';

/** What a thread is asked and what it answers. */
export interface WorkerRequest {
  readonly path: string;
  readonly options: { readonly bail: boolean; readonly update: boolean };
}
export type WorkerAnswer =
  | { readonly outcome: FileOutcome }
  | { readonly error: string }
  | { readonly progress: number };

type Runner = (path: string, options: ReplayFileOptions) => Promise<FileOutcome>;

/** In the build it stands beside the bundle; run from the sources there is none, and files run one by one. */
const WORKER = new URL('./replay-worker.js', import.meta.url);

/**
 * Runs files, several at a time in threads.
 * @param options.onFile is told of each in the order of `paths`
 * @param options.onProgress files that are done, fractions counted
 * @param options.worker what a thread runs; see `replay-worker.ts`
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
  let told = 0;
  let pass = true;
  const tell = () => {
    for (let outcome = outcomes[told]; outcome; outcome = outcomes[told]) {
      options.onFile(outcome);
      told++;
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
      tell();
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

/** @param onEnd a thread that failed takes no more files: the next one is for another */
function start(script: URL, onEnd: (worker: Worker) => void): Worker {
  const worker = new Worker(fileURLToPath(script));
  // It fails before it exits.
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
