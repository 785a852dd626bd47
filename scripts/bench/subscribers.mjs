import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TICKING } from './flashblocks.mjs';
import { atRate, receiptOf } from './load.mjs';
import { startNode } from './node.mjs';
import { Client } from './rpc.mjs';
import { createSenders, deployToken, tokenTransfer } from './senders.mjs';
import { openSocket, subscribe } from './socket.mjs';
import { mib, spread } from './stats.mjs';

const RATE = 100;
const KINDS = ['newHeads', 'logs', 'newFlashblocks', 'newFlashblockTransactions', 'stream'];
/** subscribers of each kind: 200 in total, 20 of which don't read */
const EACH = 40;
const DEAF = 4;

/** Subscribers of all kinds with a steady rate of ERC-20 transfers. The node has a process of its own. */
export async function subscribers({ bin, subscribers: seconds, progress }) {
  const node = await startNode(bin, TICKING);
  const readers = fork(fileURLToPath(import.meta.url), [`${node.port}`]);
  try {
    const senders = await createSenders(node);
    const address = await deployToken(node.client, senders);
    await once(readers, 'message');
    const before = node.rss();
    let most = before;
    await node.client.call('devnet_metrics', [true]);
    // The open block contains transactions that were pre-confirmed before the subscribers listened.
    const first = BigInt(await node.client.call('eth_blockNumber')) + 2n;
    const over = new AbortController();
    const watch = (async () => {
      while (await sleep(1000, true, { signal: over.signal }).catch(() => false))
        most = Math.max(most, node.rss());
    })();
    let last;
    const load = await atRate(seconds, RATE, async (i) => {
      const sender = senders[i % senders.length];
      last = await sender.send(sender.sign(tokenTransfer(address, i)));
    });
    over.abort();
    await watch;
    const metrics = await node.client.call('devnet_metrics');
    if (load.failed > 0) throw new Error(`${load.failed} of ${load.sent} refused: ${load.error}`);
    await receiptOf(node.client, last);
    const end = BigInt(await node.client.call('eth_blockNumber')) + 1n;
    while (BigInt(await node.client.call('eth_blockNumber')) < end + 1n) await sleep(100);
    progress(`subscribers: ${load.sent} transactions in blocks ${first} to ${end}`);
    readers.send({ first: Number(first), last: Number(end) });
    const [{ missed, read }] = await once(readers, 'message');
    const at = `${EACH * KINDS.length} subscribers, ${DEAF * KINDS.length} of which do not read, ${RATE} tx/s for ${seconds} s`;
    return [
      ['subscribers: tick drift, p50 / p99 / max', spread(metrics.driftMs), at],
      [
        'subscribers: tick length, p50 / p99 / max',
        spread(metrics.tickMs),
        `${metrics.lateTicks} late, ${metrics.mergedTicks} merged of ${metrics.ticks}`,
      ],
      ['subscribers: RSS', `${mib(before)} to ${mib(most)} at most`, ''],
      ['subscribers: notifications missed', missed, `of ${read} that readers got`],
    ];
  } finally {
    readers.kill();
    await node.stop();
  }
}

/** Runs in the second process: reads the notifications, and counts the missing ones by comparing with the chain. */
async function readAll(port) {
  const client = new Client(port);
  const all = [];
  for (const kind of KINDS) for (let i = 0; i < EACH; i++) all.push(open(kind, i < DEAF));
  const opened = await Promise.all(all);
  process.send('ready');
  const [{ first, last }] = await once(process, 'message');
  await sleep(1000);
  const expected = await expectedOf(first, last);
  // Only the readers know which flashblock indexes were published: a missed slot has none.
  const published = opened.filter(({ kind, deaf }) => kind === 'stream' && !deaf);
  expected.stream = [...new Set(published.flatMap(({ seen }) => [...seen]))].filter((place) => {
    const number = Number.parseInt(place, 10);
    return number >= first && number <= last;
  });
  let [missed, read] = [0, 0];
  for (const { kind, deaf, seen } of opened) {
    if (deaf) continue;
    for (const key of expected[kind]) {
      if (seen.has(key)) read++;
      else missed++;
    }
  }
  process.send({ missed, read });

  async function open(kind, deaf) {
    const seen = new Set();
    const parameters = { newFlashblockTransactions: [false], logs: [{}] }[kind] ?? [];
    const socket = await (kind === 'stream'
      ? openSocket(port, '/flashblocks')
      : subscribe(port, [kind, ...parameters]));
    if (deaf) socket.pause();
    else socket.on('message', (data) => note(kind, data, seen));
    return { kind, deaf, seen };
  }

  async function expectedOf(first, last) {
    const expected = Object.fromEntries(KINDS.map((kind) => [kind, []]));
    for (let number = first; number <= last; number++) {
      const block = await client.call('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
      const logs = await client.call('eth_getLogs', [{ blockHash: block.hash }]);
      expected.newHeads.push(block.hash);
      expected.logs.push(...logs.map(({ transactionHash }) => transactionHash));
      expected.newFlashblockTransactions.push(...block.transactions);
      expected.newFlashblocks.push(block.hash);
    }
    return expected;
  }
}

/** Records the keys that show whether a notification is missing, without parsing whole blocks 36 times. */
function note(kind, data, seen) {
  if (kind === 'stream') {
    const text = data.toString();
    const number = /"block_number":(\d+)/.exec(text)[1];
    seen.add(`${number}.${/"index":(\d+)/.exec(text)[1]}`);
  } else if (kind === 'newFlashblocks' || kind === 'newHeads') {
    seen.add(/"hash":"(0x[0-9a-f]{64})"/.exec(data.subarray(0, 400).toString('latin1'))[1]);
  } else {
    const { result } = JSON.parse(data.toString()).params;
    seen.add(kind === 'logs' ? result.transactionHash : result);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await readAll(Number(process.argv[2]));
