import { listen, TICKING } from './flashblocks.mjs';
import { atRate } from './load.mjs';
import { startNode } from './node.mjs';
import { createSenders, deployToken, tokenTransfer } from './senders.mjs';
import { spread } from './stats.mjs';

const RATES = [0, 100, 500];
const SECONDS = 10;

/** Length and drift of the 200 ms ticks with a steady rate of ERC-20 transfers. */
export async function ticks({ bin }) {
  const rows = [];
  for (const rate of RATES) {
    const node = await startNode(bin, TICKING);
    try {
      const senders = await createSenders(node);
      const address = await deployToken(node.client, senders);
      const stream = await listen(node.port);
      await node.client.call('devnet_metrics', [true]);
      const { sent, failed, error } = await atRate(SECONDS, rate, (i) => {
        const sender = senders[i % senders.length];
        return sender.send(sender.sign(tokenTransfer(address, i)));
      });
      if (failed > 0) throw new Error(`${failed} of ${sent} transactions refused: ${error}`);
      const metrics = await node.client.call('devnet_metrics');
      const note = `${metrics.ticks} ticks, ${metrics.lateTicks} late, ${metrics.mergedTicks} merged`;
      rows.push([`tick length at ${rate} tx/s, p50 / p99 / max`, spread(metrics.tickMs), note]);
      rows.push([`tick drift at ${rate} tx/s, p50 / p99 / max`, spread(metrics.driftMs), 'by the node']);
      if (stream) {
        rows.push([
          `publication drift at ${rate} tx/s, p50 / p99 / max`,
          spread(stream.drift()),
          'by the stream',
        ]);
        stream.close();
      }
    } finally {
      await node.stop();
    }
  }
  return rows;
}
