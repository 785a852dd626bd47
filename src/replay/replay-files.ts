import { availableParallelism } from 'node:os';
import type { EngineName } from '../engine/engine-name.ts';
import {
  type ComparedFile,
  type ComparedFileOptions,
  failedFile,
  type OtherRules,
  replayFile,
  type Shard,
} from './replay-file.ts';
import { type Replayed, ReplayTally, wholeFile } from './replay-tally.ts';
import { hasThreads, ReplayThread } from './replay-thread.ts';

type Runner = (path: string, options: ComparedFileOptions) => Promise<ComparedFile>;

/**
 * Replays files, several at a time in threads.
 * @param options.onFile called with each result, in the order of `paths`
 * @param options.onProgress receives the progress of all files together
 * @param options.worker script of the threads; see `worker.ts`
 * @returns whether all passed
 */
export async function replayFiles(
  paths: readonly string[],
  options: {
    bail: boolean;
    update: boolean;
    whole?: boolean;
    shard?: Shard | undefined;
    onFile: (outcome: ComparedFile) => void;
    onProgress?: ((done: Replayed) => void) | undefined;
    threads?: number;
    worker?: URL;
    /** the engine that executes the transactions; default: `fast` */
    engine?: EngineName | undefined;
    /** other rules under which the transactions are executed, too */
    against?: OtherRules | undefined;
  },
): Promise<boolean> {
  const most = options.threads ?? availableParallelism();
  const threads = hasThreads(options.worker) ? Math.min(most, paths.length) : 1;
  const outcomes: (ComparedFile | undefined)[] = [];
  const tally = new ReplayTally();
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
      const onProgress = (done: Replayed) => options.onProgress?.(tally.set(i, done));
      const { bail, update, whole = false, shard, engine, against } = options;
      const ofFile = shard && { ...shard, file: i };
      const wanted = { bail, update, whole, onProgress, shard: ofFile, engine, against };
      const outcome = await run(path, wanted).catch((error: Error) => failedFile(path, error));
      options.onProgress?.(tally.set(i, wholeFile(outcome.cases)));
      outcomes[i] = outcome;
      pass &&= outcome.pass;
      report();
    }
  };
  if (threads === 1) await work(replayFile);
  else
    await Promise.all(
      Array.from({ length: threads }, async () => {
        const thread = new ReplayThread(options.worker);
        await work((path, wanted) => thread.run(path, wanted)).finally(() => thread.close());
      }),
    );
  return pass;
}
