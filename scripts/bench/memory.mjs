import { setTimeout as sleep } from 'node:timers/promises';
import { startNode } from './node.mjs';
import { mib } from './stats.mjs';

/** Memory of a node in the default mode over minutes of empty blocks. */
export async function memory({ bin, minutes, progress }) {
  const node = await startNode(bin);
  try {
    await sleep(2000);
    const samples = [node.rss()];
    const end = performance.now() + minutes * 60_000;
    while (performance.now() < end) {
      await sleep(Math.min(10_000, end - performance.now()));
      samples.push(node.rss());
      progress(`memory: ${mib(samples.at(-1))}`);
    }
    const blocks = Number(await node.client.call('eth_blockNumber'));
    const value = `${mib(samples[0])} to ${mib(samples.at(-1))}`;
    return [
      [
        'RSS over empty blocks',
        value,
        `${blocks} blocks in ${minutes} min, at most ${mib(Math.max(...samples))}`,
      ],
    ];
  } finally {
    await node.stop();
  }
}
