import { forSeconds } from './load.mjs';
import { startNode } from './node.mjs';
import { callOf, createSenders, deploy, deploymentOf } from './senders.mjs';
import { mib, ms } from './stats.mjs';

const LOGS = 1000;
/** Logs per transaction; between two such transactions there is a stretch of empty blocks. */
const SHARE = 100;

/** A thousand logs spread over a long chain, fetched in one request. */
export async function longChain({ bin, blocks, progress }) {
  const node = await startNode(bin, ['--automine']);
  try {
    const { client } = node;
    const [owner] = await createSenders(node);
    const kitchen = await deploy(client, owner, deploymentOf('Kitchen'));
    const empty = Math.ceil(blocks / (LOGS / SHARE));
    let mined = 0;
    for (let logs = 0; logs < LOGS; logs += SHARE) {
      const data = callOf('Kitchen', 'emitMany', [SHARE, '0x']);
      await owner.send(owner.sign({ to: kitchen, data, gas: 1_000_000n }));
      // In parts, so that each request is answered before its timeout.
      for (let left = empty; left > 0; left -= 20_000) {
        const start = performance.now();
        await client.call('anvil_mine', [Math.min(left, 20_000)]);
        mined += performance.now() - start;
      }
      progress(`  ${Number(await client.call('eth_blockNumber'))} blocks, ${ms(mined)}`);
    }
    const everything = { address: kitchen, fromBlock: 'earliest', toBlock: 'latest' };
    const ask = async () => {
      const logs = await client.call('eth_getLogs', [everything]);
      if (logs.length !== LOGS) throw new Error(`${logs.length} logs instead of ${LOGS}`);
    };
    const total = Number(await client.call('eth_blockNumber'));
    const rows = [
      [`${total} blocks mined`, ms(mined), `${((mined / total) * 1000).toFixed(0)} us a block`],
      [`RSS after ${total} blocks`, mib(node.rss()), ''],
    ];
    const name = `eth_getLogs over ${total} blocks`;
    try {
      const first = await forSeconds(1, 1, ask, 1);
      const more = await forSeconds(5, 1, ask, 50);
      rows.push([name, ms(more.elapsed / more.count), `${LOGS} logs; the first ${ms(first.elapsed)}`]);
    } catch (error) {
      rows.push([name, 'failed', error.message]);
    }
    return rows;
  } finally {
    await node.stop();
  }
}
