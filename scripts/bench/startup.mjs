import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNode } from './node.mjs';
import { median, mib, ms } from './stats.mjs';

const RUNS = 7;

/** Start-up: from spawn to the first response, alternating with `node -e 0`; and memory two seconds later. */
export async function startup({ bin }) {
  const alone = [];
  const times = [];
  let memory = Number.NaN;
  // The first run fills the disk cache, and isn't counted.
  for (let run = 0; run <= RUNS; run++) {
    const start = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    if (run > 0) alone.push(performance.now() - start);
    const node = await startNode(bin);
    try {
      if (run > 0) times.push(node.startMs);
      if (run === RUNS) {
        await sleep(2000);
        memory = node.rss();
      }
    } finally {
      await node.stop();
    }
  }
  const range = (all) => `median of ${RUNS}, ${ms(Math.min(...all))} to ${ms(Math.max(...all))}`;
  return [
    ['node -e 0', ms(median(alone)), range(alone)],
    [
      'spawn to first eth_blockNumber',
      ms(median(times)),
      `${(median(times) / median(alone)).toFixed(1)} x node -e 0; ${range(times)}`,
    ],
    ['RSS idle', mib(memory), '2 s after the start'],
  ];
}
