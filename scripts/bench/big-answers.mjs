import { setTimeout as sleep } from 'node:timers/promises';
import { forSeconds, receiptOf } from './load.mjs';
import { startNode } from './node.mjs';
import { callOf, createSenders, deploy, deploymentOf, recipient } from './senders.mjs';
import { ms, spread } from './stats.mjs';

const SECONDS = 10;
const MIB = 2 ** 20;
const TRANSACTIONS = 2500;
const LOGS = 5000;

/** Punctuality of the 200 ms ticks while responses of about 10 MiB are requested one after the other. */
export async function bigAnswers({ bin, progress }) {
  // With this gas limit and block time all transactions get into one block.
  const node = await startNode(bin, ['--gas-limit', '1000000000', '--block-time', '60']);
  try {
    const { client } = node;
    const senders = await createSenders(node);
    const [owner] = senders;
    const kitchen = await deploy(client, owner, deploymentOf('Kitchen'));
    const work = await deploy(client, owner, deploymentOf('Work'));
    const emit = (count, bytes) => callOf('Kitchen', 'emitMany', [count, `0x${'5a'.repeat(bytes)}`]);
    for (let logs = 0; logs < LOGS; logs += LOGS / 5)
      await owner.send(owner.sign({ to: kitchen, data: emit(LOGS / 5, 900), gas: 16_000_000n }));
    const loop = { to: work, data: callOf('Work', 'arithmetic', [150_000n]), gas: 1_000_000n };
    const traced = await owner.send(owner.sign(loop));
    const payload = { to: recipient(0), data: `0x${'5a'.repeat(1900)}`, gas: 200_000n };
    await Promise.all(
      senders.map(async (sender) => {
        for (let i = 0; i < TRANSACTIONS / senders.length; i++)
          await sender.send(sender.sign({ ...payload, to: recipient(i) }));
      }),
    );
    await receiptOf(client, traced);
    await sleep(1000);
    await client.call('evm_mine');
    const questions = {
      nothing: undefined,
      eth_getBlockByNumber: ['latest', true],
      eth_getLogs: [{ address: kitchen, fromBlock: 'earliest', toBlock: 'latest' }],
      debug_traceTransaction: [traced],
    };
    const rows = [];
    for (const [method, params] of Object.entries(questions)) {
      progress(`  ${method}`);
      await client.call('devnet_metrics', [true]);
      let bytes = 0;
      const ask = async () => {
        bytes = (await client.text(method, params)).length;
      };
      const asked = params ? await forSeconds(SECONDS, 1, ask) : await sleep(SECONDS * 1000);
      const { driftMs, ticks, lateTicks, mergedTicks } = await client.call('devnet_metrics');
      const answers = asked && `${(bytes / MIB).toFixed(1)} MiB, ${ms(asked.elapsed / asked.count)} each; `;
      rows.push([
        `tick drift while ${method} is asked for, p50 / p99 / max`,
        spread(driftMs),
        `${answers ?? ''}${lateTicks} late, ${mergedTicks} merged of ${ticks}`,
      ]);
    }
    return rows;
  } finally {
    await node.stop();
  }
}
