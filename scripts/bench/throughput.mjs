import { startNode } from './node.mjs';
import { blast, createSenders, deployToken, etherTransfer, tokenTransfer } from './senders.mjs';
import { mib, perSecond } from './stats.mjs';

/** A block gas limit that is never reached, so that the node itself is measured. */
const ROOMY = ['--gas-limit', '1000000000'];
const MODES = { automine: ['--automine'], interval: [] };

/** Transfers per second over HTTP: ten senders, each waiting for its response, until the last receipt is seen. */
export async function throughput({ bin, count }) {
  const rows = [];
  for (const [mode, flags] of Object.entries(MODES)) {
    const node = await startNode(bin, [...flags, ...ROOMY]);
    try {
      const senders = await createSenders(node);
      const ether = await blast(node.client, senders, count, etherTransfer);
      rows.push([`transfers, ${mode}`, perSecond(ether.count, ether.elapsed), `${count} from 10 senders`]);
      const address = await deployToken(node.client, senders);
      const erc20 = await blast(node.client, senders, count, (i) => tokenTransfer(address, i));
      rows.push([
        `ERC-20 transfers, ${mode}`,
        perSecond(erc20.count, erc20.elapsed),
        `${count} from 10 senders`,
      ]);
      rows.push([`RSS after load, ${mode}`, mib(node.rss()), `${2 * count} transactions`]);
    } finally {
      await node.stop();
    }
  }
  return rows;
}
