// The thread that reads build infos and makes stack traces: see thread.ts.
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer, ThreadRequest } from './thread.ts';
import { StackTracer } from './tracer.ts';

const { folder } = workerData as { readonly folder: string | undefined };
const tracer = new StackTracer({ folder });

parentPort!.on('message', async ({ id, method, argument }: ThreadRequest) => {
  let answer: ThreadAnswer;
  try {
    answer = { id, answer: await tracer[method](argument as never) };
  } catch (error) {
    answer = { id, error: (error as Error).message };
  }
  parentPort!.postMessage(answer);
});
