import { setTimeout as sleep } from 'node:timers/promises';
import { startNode } from './node.mjs';
import { median, mib, ms } from './stats.mjs';

/** Start-up: spawn to the first answer, five times; memory two seconds later. */
export async function startup({ bin }) {
  const times = [];
  const memory = [];
  for (let run = 0; run < 5; run++) {
    const node = await startNode(bin);
    try {
      times.push(node.startMs);
      if (run === 0) await sleep(2000);
      if (run === 0) memory.push(node.rss());
    } finally {
      await node.stop();
    }
  }
  return [
    [
      'spawn to first eth_blockNumber',
      ms(median(times)),
      `median of 5, ${ms(Math.min(...times))} to ${ms(Math.max(...times))}`,
    ],
    ['RSS idle', mib(memory[0]), '2 s after the start'],
  ];
}
