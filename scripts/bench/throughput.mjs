import { receiptOf } from './load.mjs';
import { startNode } from './node.mjs';
import { createSenders, deployToken, etherTransfer, tokenTransfer } from './senders.mjs';
import { mib, perSecond } from './stats.mjs';

/** The block gas limit is out of the way: what is measured is the node. */
const ROOMY = ['--gas-limit', '1000000000'];
const MODES = { automine: ['--automine'], interval: [] };

/** Transfers a second over HTTP: ten senders, each waiting for its answer, until the last receipt is seen. */
export async function throughput({ bin, count }) {
  const rows = [];
  for (const [mode, flags] of Object.entries(MODES)) {
    const node = await startNode(bin, [...flags, ...ROOMY]);
    try {
      const senders = await createSenders(node);
      const ether = await blast(node.client, senders, count, etherTransfer);
      rows.push([`transfers, ${mode}`, perSecond(count, ether), `${count} from 10 senders`]);
      const address = await deployToken(node.client, senders);
      const erc20 = await blast(node.client, senders, count, (i) => tokenTransfer(address, i));
      rows.push([`ERC-20 transfers, ${mode}`, perSecond(count, erc20), `${count} from 10 senders`]);
      rows.push([`RSS after load, ${mode}`, mib(node.rss()), `${2 * count} transactions`]);
      for (const sender of senders) sender.close();
    } finally {
      await node.stop();
    }
  }
  return rows;
}

/** Signs first, then sends. @returns the milliseconds from the first send to the last receipt */
async function blast(client, senders, count, payload) {
  const lanes = senders.map((sender) => ({ sender, raws: [], last: undefined }));
  for (let i = 0; i < count; i++) {
    const { sender, raws } = lanes[i % lanes.length];
    raws.push(sender.sign(payload(i)));
  }
  const start = performance.now();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const raw of lane.raws) lane.last = await lane.sender.send(raw);
    }),
  );
  const receipts = await Promise.all(lanes.map(({ last }) => receiptOf(client, last, 120_000)));
  if (receipts.some(({ status }) => status !== '0x1')) throw new Error('a transfer failed');
  return performance.now() - start;
}
