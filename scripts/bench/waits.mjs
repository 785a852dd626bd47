import { Worker } from 'node:worker_threads';

/**
 * Measures how long `eth_chainId` waits on a connection of its own while `work` runs. A worker thread sends the requests, so that the
 * work of this thread isn't counted.
 * @param {{ port: number, pid: number }} node
 * @param {() => Promise<unknown>} work
 * @returns in milliseconds: the longest wait (`max`), the maximum processor time of the node's main thread during one wait (`busy`), which
 * doesn't depend on other work of the machine, and the duration of `work` (`took`); and the number of waits
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
