import { existsSync } from 'node:fs';
import { TICKING } from './flashblocks.mjs';
import { atRate } from './load.mjs';
import { startNode } from './node.mjs';
import { createSenders, deployToken, tokenTransfer } from './senders.mjs';
import { mib, ms, spread } from './stats.mjs';

const RATE = 100;
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const SAMPLE_S = 30;

/**
 * Two nodes at the same time, each with a steady rate of ERC-20 transfers; the explorer is open on the first one. Other work of the
 * machine affects both.
 */
export async function explorer({ bin, explorer: minutes, progress }) {
  if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}; CHROMIUM names another browser`);
  const { chromium } = await import('playwright-core');
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  const nodes = [];
  try {
    for (let i = 0; i < 2; i++) nodes.push(await loaded(await startNode(bin, TICKING)));
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(`http://127.0.0.1:${nodes[0].port}/`);
    const heapOf = await heapReader(page);
    const heap = [];
    const before = [];
    for (let second = 0; second < minutes * 60 + SAMPLE_S; second += SAMPLE_S) {
      // The first sample warms up: V8 compiles the code, and the page's lists fill.
      if (second === SAMPLE_S)
        for (const node of nodes) {
          before.push({ cpu: node.cpu(), rss: node.rss() });
          await node.client.call('devnet_metrics', [true]);
        }
      await Promise.all(nodes.map((node) => node.send(SAMPLE_S)));
      heap.push(await heapOf());
      progress(`explorer ${second + SAMPLE_S} s: heap of the page ${mib(heap.at(-1))}`);
    }
    if (problems.length > 0) throw new Error(`the page failed: ${problems[0]}`);
    await page.locator('.light.open').waitFor();
    const after = await Promise.all(
      nodes.map(async (node, i) => ({
        metrics: await node.client.call('devnet_metrics'),
        cpu: node.cpu() - before[i].cpu,
        rss: node.rss(),
      })),
    );
    const [opened, alone] = after;
    const at = `${RATE} tx/s for ${minutes} min on two nodes, the page open on one`;
    // The minimum of three samples: a block may begin or end between two samples.
    const measured = heap.slice(1);
    const early = Math.min(...measured.slice(0, 3));
    const late = Math.min(...measured.slice(-3));
    return [
      [
        'explorer: heap of the page, begin to end',
        `${mib(early)} to ${mib(late)}`,
        `at most ${mib(Math.max(...measured))}; ${at}`,
      ],
      [
        'explorer: drift p50 / p99 / max, open',
        spread(opened.metrics.driftMs),
        `${opened.metrics.lateTicks} late`,
      ],
      [
        'explorer: drift p50 / p99 / max, not open',
        spread(alone.metrics.driftMs),
        `${alone.metrics.lateTicks} late`,
      ],
      ['explorer: tick length p50 / p99 / max, open', spread(opened.metrics.tickMs), ''],
      ['explorer: tick length p50 / p99 / max, not open', spread(alone.metrics.tickMs), ''],
      [
        'explorer: processor time of the node, open / not open',
        `${ms(opened.cpu / minutes)} / ${ms(alone.cpu / minutes)} a minute`,
        `${Math.round((100 * opened.cpu) / alone.cpu - 100)} % more`,
      ],
      ...after.map(({ rss }, i) => [
        `explorer: RSS of the node, ${i === 0 ? 'open' : 'not open'}`,
        `${mib(before[i].rss)} to ${mib(rss)}`,
        '',
      ]),
    ];
  } finally {
    await browser.close();
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

/** A node with senders and a token. */
async function loaded(node) {
  const senders = await createSenders(node);
  const address = await deployToken(node.client, senders);
  let count = 0;
  const send = async (seconds) => {
    const { sent, failed, error } = await atRate(seconds, RATE, () => {
      const i = count++;
      const sender = senders[i % senders.length];
      return sender.send(sender.sign(tokenTransfer(address, i)));
    });
    if (failed > 0) throw new Error(`${failed} of ${sent} refused: ${error}`);
  };
  return { ...node, send };
}

/** @returns a function that measures the memory of the page's live objects, in MiB */
async function heapReader(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  return async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize / 2 ** 20;
  };
}
