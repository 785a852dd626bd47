// The thread that reads build infos and makes stack traces: see thread.ts.
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer, ThreadRequest } from './thread.ts';
import { StackTracer } from './tracer.ts';

const { folder } = workerData as { readonly folder: string | undefined };
const tracer = new StackTracer({ folder });

parentPort!.on('message', async (request: ThreadRequest) => {
  const { id } = request;
  let answer: ThreadAnswer;
  try {
    answer = { id, answer: await answerOf(request) };
  } catch (error) {
    answer = { id, error: (error as Error).message };
  }
  parentPort!.postMessage(answer);
});

function answerOf(request: ThreadRequest): unknown {
  if ('run' in request) return tracer.add(request.run);
  if ('code' in request) return tracer.layoutOf(request.code);
  return 'opcode' in request ? tracer.sourceOf(request.opcode) : tracer.trace(request.message);
}
