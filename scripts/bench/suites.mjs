import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { suitableNode } from '../suitable-node.mjs';
import { median, ms } from './stats.mjs';

const ROUNDS = 3;
const CASES = 60;
/** Runs on a node that stays up: its median is of the last so many. */
const AGAIN = 9;
const CLIENTS = ['viem', 'ethers'];
const ROOT = resolve(import.meta.dirname, '../..');
const IN_PROCESS = "devnet in the suite's process";

/**
 * The same test suite on devnet, anvil and Hardhat's node; node and suite are started anew for each run, as a CI job does
 * it, or the suite alone. A case goes back to the fixture, sends five transactions and waits for their receipts, makes ten calls, expects a
 * revert and steps in time.
 */
export async function suites({ progress }) {
  if (!existsSync(resolve(ROOT, 'test/suites/node_modules')))
    throw new Error('npm run test:clients fetches what it runs on');
  const { startAnvil, startDevnet, startHardhat } = await import('../../test/suites/nodes.mjs');
  const nodes = {
    devnet: () => startDevnet('--automine'),
    [IN_PROCESS]: async () => ({ url: undefined, close: () => {} }),
    anvil: () => startAnvil(),
    hardhat: () => startHardhat(suitableNode()),
  };
  const rows = [];
  for (const client of CLIENTS) {
    const times = Object.fromEntries(Object.keys(nodes).map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, start] of Object.entries(nodes)) {
        progress(`  ${client} on ${name}`);
        times[name].push(await runSuite(start, client, name));
      }
    for (const [name, all] of Object.entries(times))
      rows.push([
        `${CASES} cases by ${client} on ${name}`,
        ms(median(all)),
        `${(median(all) / median(times.devnet)).toFixed(2)} of devnet's time, median of ${ROUNDS}`,
      ]);
    rows.push(
      ...(await again(
        { devnet: nodes.devnet, anvil: nodes.anvil, hardhat: nodes.hardhat },
        client,
        progress,
      )),
    );
  }
  return rows;
}

/** As in the course of a day's work: the nodes stay up, and the suite is run again and again, in turns. */
async function again(starts, client, progress) {
  const up = await Promise.all(
    Object.entries(starts).map(async ([name, start]) => ({ name, node: await start(), times: [] })),
  );
  try {
    for (let run = 0; run < AGAIN; run++) {
      progress(`  ${client} again, run ${run + 1} of ${AGAIN}`);
      for (const { name, node, times } of up) times.push(await timeOn(node, client, name));
    }
  } finally {
    for (const { node } of up) await node.close();
  }
  const last = (times) => median(times.slice(-ROUNDS));
  return up.map(({ name, times }) => [
    `${CASES} cases by ${client} on ${name} that stays up`,
    ms(last(times)),
    `${(last(times) / last(up[0].times)).toFixed(2)} of devnet's time, median of runs ${AGAIN - ROUNDS + 1} to ${AGAIN}`,
  ]);
}

async function runSuite(start, client, name) {
  const node = await start();
  try {
    return await timeOn(node, client, name);
  } finally {
    await node.close();
  }
}

async function timeOn(node, client, name) {
  const mode = name === 'hardhat' ? 'hardhat' : 'anvil';
  const suite = resolve(import.meta.dirname, 'suite.mjs');
  const args = [suite, client, mode, `${CASES}`, ...(node.url ? [node.url] : [])];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
  return Number(stdout.trim().split('\n').at(-1));
}
