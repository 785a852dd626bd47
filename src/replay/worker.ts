import { parentPort } from 'node:worker_threads';
import { SystemClock } from '../clock.ts';
import { replayFixture } from './replay-file.ts';
import type { Replayed } from './replay-tally.ts';
import type { WorkerAnswer, WorkerRequest } from './replay-thread.ts';

/** A worker thread of `devnet replay`: replays the files that it is sent, one after the other. */
const answer = (message: WorkerAnswer) => parentPort!.postMessage(message);

/** Minimum interval of progress messages in milliseconds: one message per case would cost more than the case. */
const PROGRESS_EVERY = 200;
const clock = new SystemClock();

function fromTimeToTime(): (done: Replayed) => void {
  let last = clock.now();
  return (progress) => {
    if (clock.now() - last < PROGRESS_EVERY) return;
    last = clock.now();
    answer({ progress });
  };
}

parentPort!.on('message', ({ path, options }: WorkerRequest) => {
  replayFixture(path, { ...options, onProgress: fromTimeToTime() }).then(
    (outcome) => answer({ outcome }),
    (error: Error) => answer({ error: error.message }),
  );
});
