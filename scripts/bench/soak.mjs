import { setTimeout as sleep } from 'node:timers/promises';
import { listen, TICKING } from './flashblocks.mjs';
import { atRate, receiptOf } from './load.mjs';
import { startNode } from './node.mjs';
import { createSenders, deployToken, tokenTransfer } from './senders.mjs';
import { mib, ms } from './stats.mjs';

/** ERC-20 transfers at a steady rate; prints a line every 10 s with skipped ticks, p99 drift and memory since the start. */
export async function soak({ bin, soak: seconds, rate, progress }) {
  const node = await startNode(bin, TICKING);
  try {
    const senders = await createSenders(node);
    const address = await deployToken(node.client, senders);
    const stream = await listen(node.port);
    const before = node.rss();
    await node.client.call('devnet_metrics', [true]);

    const start = performance.now();
    const over = new AbortController();
    const reports = report({ node, stream, start, progress, signal: over.signal });
    let last;
    const load = await atRate(seconds, rate, async (i) => {
      const sender = senders[i % senders.length];
      last = await sender.send(sender.sign(tokenTransfer(address, i)));
    });
    over.abort();
    await reports;
    if (load.failed > 0) throw new Error(`${load.failed} of ${load.sent} refused: ${load.error}`);
    if (last) await receiptOf(node.client, last);

    const metrics = await node.client.call('devnet_metrics');
    const drift = stream ? stream.drift() : metrics.driftMs;
    stream?.close();
    const at = `${load.sent} ERC-20 transfers in ${seconds} s`;
    return [
      ['soak: skipped ticks', `${metrics.mergedTicks} of ${metrics.ticks + metrics.mergedTicks}`, at],
      ['soak: p99 drift', ms(drift.p99), `at most ${ms(drift.max)}, ${metrics.lateTicks} late`],
      ['soak: p99 drift in the node', ms(metrics.driftMs.p99), `at most ${ms(metrics.driftMs.max)}`],
      ['soak: RSS', `${mib(before)} to ${mib(node.rss())}`, ''],
    ];
  } finally {
    await node.stop();
  }
}

async function report({ node, stream, start, progress, signal }) {
  for (;;) {
    const waited = await sleep(10_000, true, { signal }).catch(() => false);
    if (!waited) return;
    const { mergedTicks, lateTicks, driftMs } = await node.client.call('devnet_metrics');
    const { p99 } = stream ? stream.drift() : driftMs;
    const seconds = Math.round((performance.now() - start) / 1000);
    progress(
      `soak ${seconds} s: ${mergedTicks} skipped, ${lateTicks} late, p99 drift ${ms(p99)}, RSS ${mib(node.rss())}`,
    );
  }
}
