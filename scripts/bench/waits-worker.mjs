import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Client } from './rpc.mjs';

/** Milliseconds between a response and the next request. */
const PAUSE = 1;

const { port, pid } = workerData;
const client = new Client(port);
const waits = [];
let stopped = false;
parentPort.on('message', () => {
  stopped = true;
});
for (let i = 0; i < 50; i++) await client.call('eth_chainId');
parentPort.postMessage('ready');
while (!stopped) {
  const [start, busy] = [performance.now(), busyMs()];
  await client.call('eth_chainId');
  waits.push({ wall: performance.now() - start, busy: busyMs() - busy });
  await sleep(PAUSE);
}
parentPort.postMessage(waits);

/** Processor time of the node's main thread so far, in milliseconds. Linux only. */
function busyMs() {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}
