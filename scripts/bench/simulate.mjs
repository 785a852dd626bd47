import { atRate, forSeconds } from './load.mjs';
import { startNode } from './node.mjs';
import { createSenders, deployToken, etherTransfer, tokenTransfer } from './senders.mjs';
import { median, ms } from './stats.mjs';

const SECONDS = 1.5;
const RATE = 100;
export const SHAPES = [
  { name: '1 block x 1 call', blocks: 1, calls: 1, overrides: false },
  { name: '10 x 10 ERC-20 calls with overrides', blocks: 10, calls: 10, overrides: true },
  { name: '100 blocks x 1 call', blocks: 100, calls: 1, overrides: false },
];
const TAGS = ['latest', 'pending'];

/**
 * Milliseconds of one `eth_simulateV1` over HTTP, one after the other: on the latest and on the pending block, without other load and
 * while transfers are sent. The section `peers` compares with anvil.
 */
export async function simulate({ bin }) {
  const node = await startNode(bin);
  try {
    const senders = await createSenders(node);
    const token = await deployToken(node.client, senders);
    const alone = await measureAll(node.client, senders[0].address, token);
    const { busy, load } = await withLoad(senders, () => measureAll(node.client, senders[0].address, token));
    if (load.failed > 0) throw new Error(`${load.failed} of ${load.sent} transfers refused: ${load.error}`);
    const rows = [];
    for (const { name } of SHAPES) {
      for (const tag of TAGS) {
        const value = `${ms(alone[name][tag])} / ${ms(busy[name][tag])}`;
        rows.push([
          `eth_simulateV1 ${name}, ${tag}`,
          value,
          `median, alone / while ${RATE} transfers/s flow`,
        ]);
      }
    }
    return rows;
  } finally {
    await node.stop();
  }
}

async function withLoad(senders, measure) {
  let over = false;
  const measured = measure().finally(() => {
    over = true;
  });
  const load = { sent: 0, failed: 0, error: undefined };
  while (!over) {
    const part = await atRate(0.5, RATE, (i) => {
      const sender = senders[i % senders.length];
      return sender.send(sender.sign(etherTransfer(i)));
    });
    load.sent += part.sent;
    load.failed += part.failed;
    load.error ??= part.error;
  }
  return { busy: await measured, load };
}

/** @returns {Promise<Record<string, Record<string, number>>>} shape -> tag -> milliseconds */
async function measureAll(client, from, token) {
  const times = {};
  for (const shape of SHAPES) {
    times[shape.name] = {};
    for (const tag of TAGS)
      times[shape.name][tag] = await measure(client, [simulationOf(shape, from, token), tag]);
  }
  return times;
}

async function measure(client, params) {
  const times = [];
  const simulation = async () => {
    const start = performance.now();
    const blocks = await client.call('eth_simulateV1', params);
    times.push(performance.now() - start);
    const failed = blocks.flatMap(({ calls }) => calls).find(({ status }) => status !== '0x1');
    if (failed) throw new Error(`a call failed: ${failed.error?.message}`);
  };
  await forSeconds(0.5, 1, simulation);
  times.length = 0;
  await forSeconds(SECONDS, 1, simulation);
  return median(times);
}

/** The first parameter of `eth_simulateV1`. */
export function simulationOf({ blocks, calls, overrides }, from, token) {
  return {
    blockStateCalls: Array.from({ length: blocks }, (_, block) => ({
      ...(overrides && {
        stateOverrides: {
          [from]: { balance: '0x56bc75e2d63100000' },
          [token]: { stateDiff: { [`0x${'ff'.repeat(32)}`]: `0x${'11'.repeat(32)}` } },
        },
      }),
      calls: Array.from({ length: calls }, (_, i) => {
        const { to, data } = tokenTransfer(token, block * calls + i);
        return { from, to, data };
      }),
    })),
  };
}
