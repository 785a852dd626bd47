import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { suitableNode } from '../suitable-node.mjs';
import { median, ms } from './stats.mjs';

const ROUNDS = 3;
const CASES = 60;
const CLIENTS = ['viem', 'ethers'];
const ROOT = resolve(import.meta.dirname, '../..');
const IN_PROCESS = "devnet in the suite's process";

/**
 * The same test suite on devnet, anvil and Hardhat's node; node and suite are started anew for each run, as a CI job does
 * it. A case goes back to the fixture, sends five transactions and waits for their receipts, makes ten calls, expects a
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
  }
  return rows;
}

async function runSuite(start, client, name) {
  const node = await start();
  try {
    const mode = name === 'hardhat' ? 'hardhat' : 'anvil';
    const suite = resolve(import.meta.dirname, 'suite.mjs');
    const args = [suite, client, mode, `${CASES}`, ...(node.url ? [node.url] : [])];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
    return Number(stdout.trim().split('\n').at(-1));
  } finally {
    await node.close();
  }
}
