import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suitableNode } from '../suitable-node.mjs';
import { startNode, startProgram } from './node.mjs';
import { median, mib, ms } from './stats.mjs';

const RUNS = 7;
const SUITES = resolve(import.meta.dirname, '../../test/suites');

/**
 * Start-up: spawn to the first answer, beside Node itself, and beside anvil and Hardhat's node where `npm run test:clients`
 * has installed them. All in turn, so that a busy machine is the same for all. Memory two seconds later.
 */
export async function startup({ bin, progress }) {
  const suites = existsSync(join(SUITES, 'node_modules')) && (await import(join(SUITES, 'nodes.mjs')));
  const programs = {
    'node -e 0': async () => {
      const start = performance.now();
      spawnSync(process.execPath, ['-e', '0']);
      return { startMs: performance.now() - start, stop() {} };
    },
    devnet: () => startNode(bin),
    ...(suites && {
      anvil: () => startProgram(suites.foundryBinary('anvil'), []),
      'hardhat node': async () => {
        const start = performance.now();
        const node = await suites.startHardhat(suitableNode());
        await node.rpc('eth_blockNumber');
        return { startMs: performance.now() - start, stop: node.close };
      },
    }),
  };
  const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  let memory = Number.NaN;
  // The first run of each fills the caches of the disk, and isn't counted.
  for (let run = 0; run <= RUNS; run++) {
    for (const [name, start] of Object.entries(programs)) {
      const node = await start().catch((error) => {
        if (name === 'devnet') throw error;
        progress(`${name} doesn't start: ${error.message.split('\n', 1)[0]}`);
        delete programs[name];
      });
      if (!node) continue;
      try {
        if (run > 0) times[name].push(node.startMs);
        if (run === 1 && name === 'devnet') {
          await sleep(2000);
          memory = node.rss();
        }
      } finally {
        await node.stop();
      }
    }
  }
  const bare = median(times['node -e 0']);
  return [
    ...Object.keys(programs)
      .map((name) => [name, times[name]])
      .map(([name, all]) => [
        name === 'node -e 0' ? name : `${name}: spawn to first eth_blockNumber`,
        ms(median(all)),
        `${(median(all) / bare).toFixed(1)} x node -e 0; median of ${RUNS}, ${ms(Math.min(...all))} to ${ms(Math.max(...all))}`,
      ]),
    ['RSS idle', mib(memory), '2 s after the start'],
  ];
}
