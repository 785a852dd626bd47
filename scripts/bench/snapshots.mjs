import { startNode } from './node.mjs';
import { median, ms } from './stats.mjs';

const ROUNDS = 15;
const TRANSFERS = 20;
const BLOCKS = 5_000;

/** The cost of a test's fixture: a snapshot, 20 transfers and a revert, on a short chain and on a long one. */
export async function snapshots({ bin }) {
  const node = await startNode(bin, ['--automine']);
  try {
    const { client } = node;
    const [from] = await client.call('eth_accounts');
    const round = async () => {
      const start = performance.now();
      const id = await client.call('evm_snapshot');
      for (let i = 0; i < TRANSFERS; i++)
        await client.call('eth_sendTransaction', [{ from, to: from, gas: '0x5208' }]);
      const sent = performance.now();
      if (!(await client.call('evm_revert', [id]))) throw new Error('the snapshot is not there');
      const end = performance.now();
      return { total: end - start, revert: end - sent };
    };
    const rounds = async () => {
      for (let i = 0; i < 5; i++) await round();
      const times = [];
      for (let i = 0; i < ROUNDS; i++) times.push(await round());
      const total = median(times.map((time) => time.total));
      return { total, value: `${ms(total)}, ${ms(median(times.map((time) => time.revert)))}` };
    };
    const short = await rounds();
    const start = performance.now();
    await client.call('anvil_mine', [BLOCKS]);
    const mined = performance.now() - start;
    const long = await rounds();
    const label = `snapshot + ${TRANSFERS} transfers + revert, revert alone`;
    return [
      [`${label}, at the start`, short.value, `median of ${ROUNDS}, automine`],
      [`${label}, after ${BLOCKS} blocks`, long.value, `${(long.total / short.total).toFixed(2)} times that`],
      [`anvil_mine ${BLOCKS}`, ms(mined), `${((mined / BLOCKS) * 1000).toFixed(0)} us a block`],
    ];
  } finally {
    await node.stop();
  }
}
