import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { suitableNode } from '../suitable-node.mjs';
import { freePort, startNode, startProgram } from './node.mjs';
import { Client } from './rpc.mjs';
import { suiteNodes } from './suite-nodes.mjs';

/** Latency of the other chain's node, milliseconds. */
const DELAY = 80;
/** Names for `--rows` -> titles. */
export const FORK_ROWS = {
  first: 'devnet, first run',
  second: 'devnet, second run',
  'not-forked': 'devnet, not forked',
  anvil: 'anvil',
  hardhat: "Hardhat's node",
};
const ACCOUNTS = 20_000;
const HOLDERS = 100;
const READS = 300;
const SENDS = 100;

const token = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../fixtures/contracts/Token.json'), 'utf8'),
);
const word = (value) => BigInt(value).toString(16).padStart(64, '0');
/** transfer(address,uint256), balanceOf(address) */
const transferOf = (to, amount) => `0xa9059cbb${word(to)}${word(amount)}`;
const balanceOf = (holder) => `0x70a08231${word(holder)}`;

/**
 * A suite on a fork of a devnet with 20,000 accounts, behind a proxy that delays each request by 80 ms: 300 reads and calls, then 100
 * transactions, one after the other. It runs on devnet with an empty cache, on devnet again, on anvil, on Hardhat's node, and on a devnet
 * that isn't forked. The last one is a new node that was started with the chain's state: the process of the chain itself has already run
 * so much that V8 has optimized its code.
 * @param options.rows names in {@link FORK_ROWS}; by default all. Without `first` the cache for `second` is filled without the delay
 */
export async function fork({ bin, progress, rows: chosen = Object.keys(FORK_ROWS) }) {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-bench-fork-'));
  const origin = await startNode(bin, [
    '--automine',
    '--silent',
    '--accounts',
    `${ACCOUNTS / 2}`,
    '--timestamp',
    '1700000000',
  ]);
  const proxy = await delaying(origin.port);
  const rows = [];
  try {
    const accounts = await origin.client.call('eth_accounts');
    const [owner] = accounts;
    for (let i = accounts.length; i < ACCOUNTS; i++) {
      accounts.push(`0x${(2n ** 150n + BigInt(i)).toString(16).padStart(40, '0')}`);
      await origin.client.call('anvil_setBalance', [accounts[i], '0xde0b6b3a7640000']);
    }
    const at = await deployed(origin.client, owner, accounts.slice(1, 1 + HOLDERS));
    const block = Number(await origin.client.call('eth_blockNumber'));
    const state = join(folder, 'state');
    writeFileSync(state, Buffer.from((await origin.client.call('anvil_dumpState')).slice(2), 'hex'));
    const forkUrl = ['--fork-url', proxy.url, '--fork-block-number', `${block}`];
    const cache = ['--fork-cache', join(folder, 'cache')];
    const startDevnet = () => startNode(bin, ['--automine', '--silent', ...forkUrl, ...cache]);
    const loadState = ['--automine', '--silent', '--load-state', state];
    const starts = {
      first: startDevnet,
      second: startDevnet,
      'not-forked': () => startNode(bin, loadState),
      anvil: async () => {
        const { foundryBinary } = await suiteNodes();
        const port = await freePort();
        // anvil's own cache of the other node's responses would make a second run of this benchmark faster than anvil's first run.
        const own = ['--silent', '--no-storage-caching', '--cache-path', join(folder, 'anvil')];
        const flags = [...own, ...forkUrl, '--port', `${port}`];
        return startProgram(foundryBinary('anvil'), flags, port);
      },
      hardhat: async () => {
        const { startHardhat } = await suiteNodes();
        const began = performance.now();
        const flags = ['--fork', proxy.url, '--fork-block-number', `${block}`];
        const { url, close } = await startHardhat(suitableNode(), flags);
        const client = new Client(Number(new URL(url).port), 16);
        // Hardhat's node executes nothing on a block of a chain whose hardforks it doesn't know: a block of its own is needed.
        await client.call('evm_mine');
        return { client, startMs: performance.now() - began, stop: close };
      },
    };
    const run = async (name) => {
      proxy.reset();
      const node = await starts[name]();
      try {
        const began = performance.now();
        const cpuBefore = node.cpu?.();
        await suite(node.client, { at, owner, accounts });
        const seconds = (performance.now() - began) / 1000;
        const [requests, calls] = proxy.counts();
        // Processor time of the node alone, without other work of the machine.
        const cpu =
          cpuBefore === undefined ? '' : `; ${((node.cpu() - cpuBefore) / 1000).toFixed(2)} s of processor`;
        const note = `start ${(node.startMs / 1000).toFixed(2)} s${cpu}; ${requests} requests with ${calls} calls`;
        return [`${seconds.toFixed(2)} s`, note];
      } finally {
        await node.stop();
      }
    };
    if (chosen.includes('second') && !chosen.includes('first')) {
      progress('  fills the cache, without the delay');
      proxy.delay = 0;
      await run('first');
      proxy.delay = DELAY;
    }
    for (const name of chosen) {
      progress(`  ${FORK_ROWS[name]}`);
      try {
        rows.push([`fork: ${FORK_ROWS[name]}`, ...(await run(name))]);
      } catch (error) {
        rows.push([`fork: ${FORK_ROWS[name]}`, 'failed', error.message.replaceAll('\n', ' ').slice(0, 200)]);
      }
    }
    return rows;
  } finally {
    proxy.close();
    await origin.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deploys a token and gives it holders. @returns its address */
async function deployed(client, from, holders) {
  const args = [
    word(96),
    word(160),
    word(10n ** 24n),
    word(1),
    '54'.padEnd(64, '0'),
    word(1),
    '54'.padEnd(64, '0'),
  ];
  // string, string, uint256: T, T, 10^24
  const data = token.bytecode + args.join('');
  const deployment = await client.call('eth_sendTransaction', [{ from, data, gas: '0x2dc6c0' }]);
  const { contractAddress: to } = await client.call('eth_getTransactionReceipt', [deployment]);
  for (const holder of holders)
    await client.call('eth_sendTransaction', [{ from, to, data: transferOf(holder, 1000), gas: '0x186a0' }]);
  return to;
}

async function suite(client, { at, owner, accounts }) {
  for (let i = 0; i < READS / 3; i++) {
    const holder = accounts[1 + (i % HOLDERS)];
    await client.call('eth_getBalance', [accounts[5000 + 100 * i], 'latest']);
    const balance = await client.call('eth_call', [{ to: at, data: balanceOf(holder) }, 'latest']);
    if (BigInt(balance) < 1000n) throw new Error(`${holder} has ${balance}`);
    await client.call('eth_getTransactionCount', [accounts[5050 + 100 * i], 'latest']);
  }
  for (let i = 0; i < SENDS; i++) {
    const data = transferOf(accounts[2000 + i], 1);
    const request = { from: owner, to: at, data, gas: '0x186a0' };
    const hash = await client.call('eth_sendTransaction', [request]);
    let receipt = null;
    // On a fork, anvil responds to a send before its block is mined.
    while (!receipt) receipt = await client.call('eth_getTransactionReceipt', [hash]);
    if (receipt.status !== '0x1') throw new Error(`a transfer has the status ${receipt.status}`);
  }
}

/** A proxy that forwards requests after a delay, and counts them. */
async function delaying(port) {
  let requests = 0;
  let calls = 0;
  const proxy = { delay: DELAY };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    requests++;
    const parsed = JSON.parse(body.toString());
    calls += Array.isArray(parsed) ? parsed.length : 1;
    if (proxy.delay > 0) await new Promise((done) => setTimeout(done, proxy.delay));
    const answer = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${server.address().port}`,
    reset: () => {
      requests = calls = 0;
    },
    counts: () => [requests, calls],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}
