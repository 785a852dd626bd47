import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { TICKING } from './flashblocks.mjs';
import { atRate } from './load.mjs';
import { running, startNode } from './node.mjs';
import { createSenders, deployToken, tokenTransfer } from './senders.mjs';
import { subscribe } from './socket.mjs';
import { ms, spread } from './stats.mjs';

const SUBSCRIBERS = 1000;
const SECONDS = 30;
/** Transactions per second: few, so that the node has little other work. */
const RATE = 10;

/** The cost of many WebSocket subscribers to one kind of subscription, with a steady rate of ERC-20 transfers. */
export async function fanOut({ bin, progress }) {
  const rows = [];
  const alone = await measure(bin, undefined);
  rows.push(['fan-out: tick drift without subscribers, p50 / p99 / max', spread(alone.drift), alone.note]);
  for (const kind of ['newHeads', 'newFlashblocks']) {
    progress(`  ${SUBSCRIBERS} subscribers of ${kind}`);
    const { drift, note, cpu, read } = await measure(bin, kind);
    const notices = read / SUBSCRIBERS;
    const more = cpu - alone.cpu;
    rows.push(
      [`fan-out: tick drift with ${SUBSCRIBERS} of ${kind}, p50 / p99 / max`, spread(drift), note],
      [
        `fan-out: processor time of one notice to ${SUBSCRIBERS} of ${kind}`,
        more > 0 ? ms(more / notices) : 'too little to tell',
        `${Math.round(notices)} notices; beyond what the node takes in the same time without subscribers`,
      ],
    );
  }
  return rows;
}

/** @param kind the subscription; undefined for none */
async function measure(bin, kind) {
  const node = await startNode(bin, TICKING);
  const readers = kind && fork(fileURLToPath(import.meta.url), [`${node.port}`, kind]);
  if (readers) running.add(readers);
  try {
    const senders = await createSenders(node);
    const address = await deployToken(node.client, senders);
    if (readers) await once(readers, 'message');
    const send = (i) => {
      const sender = senders[i % senders.length];
      return sender.send(sender.sign(tokenTransfer(address, i)));
    };
    // Warm-up, so that compiled code is measured.
    await atRate(5, 5 * RATE, send);
    await node.client.call('devnet_metrics', [true]);
    readers?.send('count');
    const before = node.cpu();
    const load = await atRate(SECONDS, RATE, send);
    const cpu = node.cpu() - before;
    const metrics = await node.client.call('devnet_metrics');
    if (load.failed > 0) throw new Error(`${load.failed} of ${load.sent} refused: ${load.error}`);
    readers?.send('report');
    const [read] = readers ? await once(readers, 'message') : [0];
    const { ticks, lateTicks, mergedTicks, driftMs: drift } = metrics;
    const note = `${RATE} tx/s, ${lateTicks} late, ${mergedTicks} merged of ${ticks}`;
    return { cpu, drift, read, note };
  } finally {
    readers?.kill();
    running.delete(readers);
    await node.stop();
  }
}

/** Runs in the second process: counts the notifications of the subscribers between `count` and `report`. */
async function readAll(port, kind) {
  let read = 0;
  const count = () => {
    read++;
  };
  for (let opened = 0; opened < SUBSCRIBERS; opened += 50) {
    const sockets = await Promise.all(Array.from({ length: 50 }, () => subscribe(port, [kind])));
    for (const socket of sockets) socket.on('message', count);
  }
  process.send('ready');
  await once(process, 'message');
  read = 0;
  await once(process, 'message');
  process.send(read);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await readAll(Number(process.argv[2]), process.argv[3]);
