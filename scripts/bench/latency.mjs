import { setTimeout as sleep } from 'node:timers/promises';
import { receiptOf } from './load.mjs';
import { startNode } from './node.mjs';
import { createSenders, etherTransfer } from './senders.mjs';
import { ms, percentile } from './stats.mjs';

const SAMPLES = 100;

/** Time from sending a transaction until its receipt is seen, polling every 5 ms. */
export async function latency({ bin }) {
  return [
    ['send to pre-confirmation, p50 / p99', await measure(bin, [], 200), 'default mode, polling every 5 ms'],
    ['send to receipt in automine, p50 / p99', await measure(bin, ['--automine'], 0), 'one sender'],
  ];
}

/** @param phase the sends are spread evenly over this many milliseconds, so that they aren't synchronised with the ticks */
async function measure(bin, flags, phase) {
  const node = await startNode(bin, flags);
  try {
    const [sender] = await createSenders(node);
    const times = [];
    for (let i = 0; i < SAMPLES; i++) {
      const raw = sender.sign(etherTransfer(i));
      await sleep((phase * ((i * 61) % SAMPLES)) / SAMPLES);
      const start = performance.now();
      await receiptOf(node.client, await sender.send(raw));
      times.push(performance.now() - start);
    }
    return `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.99))}`;
  } finally {
    await node.stop();
  }
}
