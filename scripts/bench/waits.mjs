import { Worker } from 'node:worker_threads';

/**
 * How long `eth_chainId` waits on a connection of its own while something else runs. It is asked by a thread of its own,
 * so that the work of this one isn't counted.
 * @param {{ port: number, pid: number }} node
 * @param {() => Promise<unknown>} work
 * @returns in milliseconds: the longest wait (`max`), the most processor time that the node's main thread took during one
 * (`busy`), which doesn't depend on what else the machine does, and how long `work` took; and the number of waits
 */
export async function waitsDuring({ port, pid }, work) {
  const asking = new Worker(new URL('waits-worker.mjs', import.meta.url), { workerData: { port, pid } });
  const message = () =>
    new Promise((resolve, reject) => {
      asking.once('message', resolve);
      asking.once('error', reject);
    });
  await message();
  const start = performance.now();
  const failure = await work().catch((error) => error);
  const took = performance.now() - start;
  const answered = message();
  asking.postMessage('stop');
  const waits = await answered;
  await asking.terminate();
  if (failure instanceof Error) throw failure;
  const most = (name) => waits.reduce((max, wait) => Math.max(max, wait[name]), 0);
  return { max: most('wall'), busy: most('busy'), count: waits.length, took };
}
