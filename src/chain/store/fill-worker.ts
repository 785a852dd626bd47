import { parentPort, workerData } from 'node:worker_threads';
import { fill, levelAt } from './fill.ts';
import type { FillAnswer, FillRequest } from './fill-thread.ts';

/** The thread of {@link FillThread}: writes the changes that it receives to LevelDB, until it receives `undefined`. */
const { path } = workerData as { path: string };
const level = levelAt(path, { create: false });
const answer = (message: FillAnswer) => parentPort!.postMessage(message);

await level.open();
parentPort!.on('message', (request: FillRequest | undefined) => {
  if (!request) {
    void level.close().then(() => parentPort!.close());
    return;
  }
  fill(level, request.bytes, request.range, request.storing).then(
    () => answer({}),
    (error: Error & { code?: unknown }) => answer({ error: { message: error.message, code: error.code } }),
  );
});
answer({});
