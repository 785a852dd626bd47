import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { suitableNode } from '../suitable-node.mjs';
import { median, ms } from './stats.mjs';
import { suiteNodes } from './suite-nodes.mjs';

const ROUNDS = 3;
const CASES = 60;
/** Number of runs on a node that stays up; the median is that of the last ROUNDS runs. */
const AGAIN = 9;
const CLIENTS = ['viem', 'ethers'];
const IN_PROCESS = "devnet in the suite's process";

/**
 * The same test suite on devnet, anvil and Hardhat's node. Node and suite are started again for each run, as in a CI job, or the suite
 * alone. A case reverts to the fixture, sends five transactions and waits for their receipts, makes ten calls, expects a revert and
 * increases the time.
 */
export async function suites({ progress }) {
  const { startAnvil, startDevnet, startHardhat } = await suiteNodes();
  const behindUrl = {
    devnet: () => startDevnet('--automine'),
    anvil: () => startAnvil(),
    hardhat: () => startHardhat(suitableNode()),
  };
  const nodes = { ...behindUrl, [IN_PROCESS]: async () => ({ url: undefined, close: () => {} }) };
  const rows = [];
  const servers = {
    devnet: behindUrl.devnet,
    anvil: behindUrl.anvil,
    "a server on Node's HTTP": startConstant,
  };
  rows.push(...(await anew(servers, 'requests', progress)));
  for (const client of CLIENTS) {
    rows.push(...(await anew(nodes, client, progress)));
    rows.push(...(await again(behindUrl, client, progress)));
  }
  return rows;
}

/** As in CI: each run on a new node. */
async function anew(starts, client, progress) {
  const times = Object.fromEntries(Object.keys(starts).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, start] of Object.entries(starts)) {
      progress(`  ${client} on ${name}`);
      times[name].push(await runSuite(start, client, name));
    }
  return Object.entries(times).map(([name, all]) => [
    `${CASES} cases by ${client} on ${name}`,
    ms(median(all)),
    `${(median(all) / median(times.devnet)).toFixed(2)} of devnet's time, median of ${ROUNDS}`,
  ]);
}

/** @returns the server of constant.mjs */
async function startConstant() {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'constant.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await once(child.stdout, 'data');
  return { url: String(url).trim(), close: () => child.kill() };
}

/** As in daily work: the nodes stay up, and the suite runs again and again, alternating between the nodes. */
async function again(starts, client, progress) {
  const up = await Promise.all(
    Object.entries(starts).map(async ([name, start]) => ({ name, node: await start(), times: [] })),
  );
  try {
    for (let run = 0; run < AGAIN; run++) {
      progress(`  ${client} again, run ${run + 1} of ${AGAIN}`);
      for (const peer of up) if (!peer.failed) await timeAgain(peer, run, client);
    }
  } finally {
    for (const { node } of up) await node.close();
  }
  const last = (times) => median(times.slice(-ROUNDS));
  return up.map(({ name, times, failed }) => [
    `${CASES} cases by ${client} on ${name} that stays up`,
    failed ? 'failed' : ms(last(times)),
    failed ??
      `${(last(times) / last(up[0].times)).toFixed(2)} of devnet's time, median of runs ${AGAIN - ROUNDS + 1} to ${AGAIN}`,
  ]);
}

/** Runs the suite again. A node that fails is left out from then on: anvil stalls now and then. */
async function timeAgain(peer, run, client) {
  const { name, node, times } = peer;
  try {
    times.push(await timeOn(node, client, name));
  } catch (error) {
    if (name === 'devnet') throw error;
    peer.failed = `in run ${run + 1}: ${error.message}`;
  }
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
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 }).catch(
    (error) => {
      throw new Error(`the suite by ${client} failed on ${name}: ${error.stderr || error.message}`);
    },
  );
  return Number(stdout.trim().split('\n').at(-1));
}
