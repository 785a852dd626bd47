import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { TICKING } from './flashblocks.mjs';
import { atRate, receiptOf } from './load.mjs';
import { freePort, onCore, running, startNode, startProgram } from './node.mjs';
import { createSenders, deployToken, tokenTransfer } from './senders.mjs';
import { ms, spread } from './stats.mjs';

/** ERC-20 transfers per second, half of them sent to followers, and reads per second of each follower. */
const RATE = 40;
const READS = 20;
/** Seconds for which Redis is down. */
const AWAY = 5;

/**
 * A leader with its log in Redis and two followers, under mixed load with ticks of 200 ms; then Redis, a follower and the leader are
 * killed. Needs redis-server. Before and afterwards a single node gets the same load, each for half the time: the difference between these
 * two runs is noise. @param scale seconds of load
 */
export async function scale({ bin, scale: seconds, progress }) {
  const alone = async () => {
    progress(`  a node alone, ${seconds / 2} s`);
    const node = onCore(0, await startNode(bin, TICKING));
    return load(node, [], seconds / 2).finally(() => node.stop());
  };
  // If there are two cores, the node whose ticks are measured has one for itself, as on a machine of its own.
  onCore(1, process);
  const before = await alone();
  const redis = await startRedis();
  const flags = [...TICKING, '--snapshot-interval', '10'];
  let leader = onCore(0, await startNode(bin, ['--redis', redis.url, ...flags]));
  const followers = [await startFollower(bin, redis.url), await startFollower(bin, redis.url)];
  const rows = [];
  try {
    progress(`  with two followers, ${seconds} s`);
    const shared = await load(leader, followers, seconds);
    const blocks = await compare(leader, followers);
    const lags = await Promise.all(followers.map(lagOf));
    const note = (of) => `${of.late} late, ${of.merged} merged of ${of.ticks} ticks; processor ${ms(of.cpu)}`;
    rows.push(
      ['scale: tick drift of the leader, p50 / p99 / max', fine(shared.drift), note(shared)],
      ...lags.map((lag, i) => [
        `scale: lag of follower ${i + 1}, p50 / p99 / max`,
        spread(lag),
        `${RATE} tx/s, ${READS} reads/s of each; ${blocks} blocks, all hashes equal`,
      ]),
    );

    progress(`  Redis killed for ${AWAY} s`);
    await leader.client.call('devnet_metrics', [true]);
    await redis.kill();
    await sleep(AWAY * 1000);
    await redis.start();
    const back = performance.now();
    await level(leader, followers);
    const again = performance.now() - back;
    const { mergedTicks } = await leader.client.call('devnet_metrics');
    rows.push([
      `scale: followers equal again after Redis was killed for ${AWAY} s`,
      ms(again),
      `${mergedTicks} ticks missed, ${await compare(leader, followers)} blocks with equal hashes`,
    ]);

    progress('  a follower killed');
    followers[1].kill();
    const gone = performance.now();
    followers[1] = await startFollower(bin, redis.url);
    await level(leader, [followers[1]]);
    rows.push(['scale: a killed follower is level again', ms(performance.now() - gone), 'from a snapshot']);

    progress('  the leader killed, a follower promoted');
    const logged = await followers[0].client.call('eth_blockNumber');
    leader.kill();
    const dead = performance.now();
    await followers[0].client.call('devnet_promote');
    const [from, to] = await followers[1].client.call('eth_accounts');
    const hash = await followers[1].client.call('eth_sendTransaction', [{ from, to, value: '0x1' }]);
    await receiptOf(followers[1].client, hash);
    rows.push([
      'scale: from the death of the leader to a receipt by a follower',
      ms(performance.now() - dead),
      `promoted at block ${Number(logged)}, the lease is 5 s`,
    ]);
    leader = undefined;
    await compare(followers[0], [followers[1]]);
    for (const node of followers.splice(0)) await node.stop();

    const after = await alone();
    const drifts = [before, after].map((of, i) => [
      `scale: tick drift of a node alone, ${['before', 'after'][i]}, p50 / p99 / max`,
      fine(of.drift),
      note(of),
    ]);
    return [...drifts, ...rows];
  } finally {
    for (const node of [leader, ...followers]) await node?.stop();
    await redis.stop();
  }
}

const fine = ({ p50, p99, max }) => `${[p50, p99, max].map((ms) => ms.toFixed(2)).join(' / ')} ms`;

/** Sends transfers to the leader and through the followers, and reads from the followers. */
async function load(leader, followers, seconds) {
  const senders = await createSenders(leader);
  const address = await deployToken(leader.client, senders);
  const nodes = [leader, ...followers, ...(followers.length > 0 ? [leader] : [])];
  const send = (i) => {
    const sender = senders[i % senders.length];
    const raw = sender.sign(tokenTransfer(address, i));
    return nodes[i % nodes.length].client.call('eth_sendRawTransaction', [raw]);
  };
  await atRate(3, RATE, send);
  await leader.client.call('devnet_metrics', [true]);
  const cpu = leader.cpu();
  const read = (node) => (i) =>
    i % 2 === 0
      ? node.client.call('eth_getBlockByNumber', ['latest', true])
      : node.client.call('eth_call', [{ to: address, data: `0x70a08231${'00'.repeat(32)}` }, 'pending']);
  const [sent, ...reads] = await Promise.all([
    atRate(seconds, RATE, send),
    ...followers.map((node) => atRate(seconds, READS, read(node))),
  ]);
  for (const { failed, error } of [sent, ...reads])
    if (failed > 0) throw new Error(`${failed} calls failed: ${error}`);
  const { driftMs, lateTicks, mergedTicks, ticks } = await leader.client.call('devnet_metrics');
  return { drift: driftMs, late: lateTicks, merged: mergedTicks, ticks, cpu: leader.cpu() - cpu };
}

/** Waits until the nodes have executed everything that the leader had logged at the time of the call. */
async function level(leader, nodes) {
  const { position } = await leader.client.call('devnet_status');
  const [fence, task] = position.split('-').map(Number);
  for (const node of nodes)
    for (;;) {
      const { position: at } = await node.client.call('devnet_status');
      const [atFence, atTask] = at.split('-').map(Number);
      if (atFence > fence || (atFence === fence && atTask >= task)) break;
      await sleep(5);
    }
}

/** @returns the number of blocks that all nodes have; throws if a hash differs */
async function compare(leader, nodes) {
  await level(leader, nodes);
  const head = Number(await leader.client.call('eth_blockNumber'));
  for (let number = 0; number <= head; number++) {
    const at = [`0x${number.toString(16)}`, false];
    const [first, ...others] = await Promise.all(
      [leader, ...nodes].map((node) => node.client.call('eth_getBlockByNumber', at)),
    );
    if (others.some((block) => block?.hash !== first.hash)) throw new Error(`block ${number} differs`);
  }
  return head;
}

async function lagOf(node) {
  return (await node.client.call('devnet_status')).lagMs;
}

async function startFollower(bin, redis) {
  const port = await freePort();
  const launcher = resolve(import.meta.dirname, '../..', bin);
  const args = [launcher, 'follow', '--redis', redis, '--port', `${port}`, '--silent'];
  return startProgram(process.execPath, args, port);
}

/** @param options.keeps whether Redis keeps its data after it was killed */
export async function startRedis({ keeps = true } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'devnet-bench-redis-'));
  const port = await freePort();
  let server;
  const start = async () => {
    const flags = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
    const appending = ['--appendonly', keeps ? 'yes' : 'no', '--appendfsync', 'everysec'];
    server = spawn('redis-server', [...flags, ...appending]);
    running.add(server);
    await new Promise((ready, fail) => {
      server.once('error', () => fail(new Error('there is no redis-server')));
      server.stdout.on('data', (text) => {
        if (String(text).includes('Ready to accept connections')) ready();
      });
    });
  };
  const kill = async () => {
    const exit = new Promise((done) => server.once('exit', done));
    server.kill('SIGKILL');
    await exit;
    running.delete(server);
  };
  await start();
  const stop = async () => {
    await kill();
    rmSync(dir, { recursive: true, force: true });
  };
  /** Runs a Redis command. @returns its reply */
  const command = async (...args) => {
    const client = createClient({ socket: { port } });
    await client.connect();
    const answer = await client.sendCommand(args);
    client.destroy();
    return answer;
  };
  return { url: `redis://127.0.0.1:${port}`, start, kill, stop, command };
}
