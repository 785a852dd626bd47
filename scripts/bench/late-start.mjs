import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startNode, startProgram } from './node.mjs';
import { startRedis } from './scale.mjs';
import { ms } from './stats.mjs';

const PER_BLOCK = 400;
const SENDERS = 10;
const SNAPSHOTS = 'devnet:31337:snapshots';
/** Number of blocks that the log contains after the snapshot. */
const BEHIND = 5;

/**
 * The cost of a follower's start on a long chain, from a snapshot and from the log alone, and the leader's memory. Needs redis-server.
 * @param transfers number of transfers in the chain
 */
export async function lateStart({ bin, transfers, progress }) {
  const redis = await startRedis({ keeps: false });
  const blocks = Math.ceil(transfers / PER_BLOCK);
  const nodes = [];
  try {
    // With one snapshot the log isn't trimmed, and still has all entries.
    const limit = ['--redis-timeout', '60000'];
    const flags = [
      ...limit,
      '--no-mining',
      '--order',
      'fifo',
      '--silent',
      '--snapshot-interval',
      `${blocks - BEHIND}`,
    ];
    const leader = await startNode(bin, ['--redis', redis.url, ...flags]);
    nodes.push(leader);
    progress(`  a chain of ${blocks} blocks`);
    for (let block = 0; block < blocks; block++) await mine(leader, block);
    // The leader takes the snapshot in the background.
    while ((await redis.command('EXISTS', SNAPSHOTS)) === 0) await sleep(100);
    const memory = peakOf(leader.pid);
    const level = await leader.client.call('eth_blockNumber');
    const join = async () => {
      const port = await freePort();
      const launcher = resolve(import.meta.dirname, '../..', bin);
      const args = [launcher, 'follow', '--redis', redis.url, '--port', `${port}`, '--silent', ...limit];
      const follower = await startProgram(process.execPath, args, port);
      nodes.push(follower);
      const found = { cpu: follower.cpu(), memory: peakOf(follower.pid) };
      if ((await follower.client.call('eth_blockNumber')) !== level)
        throw new Error('the follower is not level');
      await follower.stop();
      return found;
    };
    progress('  from the snapshot');
    const fromSnapshot = await join();
    await redis.command('DEL', SNAPSHOTS);
    progress('  from the log');
    const fromLog = await join();
    return [
      [
        `late-start: from a snapshot, ${transfers} transfers`,
        ms(fromSnapshot.cpu),
        `${mib(fromSnapshot.memory)} at most; processor time`,
      ],
      [
        'late-start: from the log alone',
        ms(fromLog.cpu),
        `${(fromLog.cpu / fromSnapshot.cpu).toFixed(1)} times that; ${mib(fromLog.memory)} at most`,
      ],
      ['late-start: memory of the leader, at most', mib(memory), 'with a snapshot in Redis'],
    ];
  } finally {
    for (const node of nodes) await node.stop();
    await redis.stop();
  }
}

const mib = (bytes) => `${Math.round(bytes / 2 ** 20)} MiB`;

/** Peak memory of a process, bytes. */
function peakOf(pid) {
  const [, kib] = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kib) * 1024;
}

async function mine({ port, client }, block) {
  const accounts = await client.call('eth_accounts');
  const calls = Array.from({ length: PER_BLOCK }, (_, i) => ({
    jsonrpc: '2.0',
    id: i,
    method: 'eth_sendTransaction',
    params: [
      {
        from: accounts[i % SENDERS],
        to: `0x${(block * PER_BLOCK + i + 1).toString(16).padStart(40, '0')}`,
        value: '0x1',
        gas: '0x5208',
        // All fields that the node would otherwise have to fill in.
        nonce: `0x${(block * (PER_BLOCK / SENDERS) + Math.floor(i / SENDERS)).toString(16)}`,
        maxFeePerGas: '0x77359400',
        maxPriorityFeePerGas: '0x1',
      },
    ],
  }));
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
  });
  const refused = (await response.json()).find(({ error }) => error);
  if (refused) throw new Error(refused.error.message);
  await client.call('evm_mine');
}
