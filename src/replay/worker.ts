import { parentPort } from 'node:worker_threads';
import { replayFixture } from './replay-file.ts';
import type { WorkerAnswer, WorkerRequest } from './replay-thread.ts';

/** A worker thread of `devnet replay`: replays the files that it is sent, one after the other. */
const answer = (message: WorkerAnswer) => parentPort!.postMessage(message);

/** Limits progress to a hundred messages per file: a message for each case would cost more than the case. */
function hundredths(): (share: number) => void {
  let last = 0;
  return (share) => {
    if (share - last < 0.01) return;
    last = share;
    answer({ progress: share });
  };
}

parentPort!.on('message', ({ path, options }: WorkerRequest) => {
  replayFixture(path, { ...options, onProgress: hundredths() }).then(
    (outcome) => answer({ outcome }),
    (error: Error) => answer({ error: error.message }),
  );
});
