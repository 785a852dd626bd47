import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createDevnet, followDevnet } from '../../../src/index.ts';
import { liveNode, subscriber } from '../../live-node.ts';
import { callsOf, type Wire } from '../../wire.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function live(options: Parameters<typeof liveNode>[0] = {}) {
  const node = await liveNode(options);
  closing.push(() => node.close());
  return node;
}

const METHOD = 'devnet_transactionStatus';
const events = ({ events: list }: Wire): string[] => list.map(({ event }: Wire) => event);

it('a restarted node tells what is sealed, and knows nothing of the rest', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'devnet-status-'));
  closing.push(() => rm(dir, { recursive: true }));
  const options = { dataDir: join(dir, 'data'), manualClock: true, timestamp: 1_700_000_000 };
  const before = await liveNode(options);
  const sealed = await before.send();
  await before.tick();
  await before.seal();
  const gap = await before.send(before.accounts.second, { nonce: '0x7' });
  await before.close();
  const after = await live(options);
  expect(await after.call(METHOD, sealed)).toMatchObject({
    ...{ status: 'sealed', blockNumber: '0x1', transactionIndex: '0x0', flashblockIndex: null, events: [] },
  });
  expect(await after.call(METHOD, gap)).toMatchObject({ status: 'unknown', events: [] });
});

it('a follower passes the question on to the node that makes the blocks', async () => {
  const node = await live();
  const follower = await followDevnet(`${node.url}/flashblocks`, { port: 0 });
  closing.push(() => follower.close());
  const hash = await node.send(node.accounts.first, { nonce: '0x3' });
  const call = callsOf(follower);
  expect(await call(METHOD, hash)).toMatchObject({ status: 'waiting', waitsFor: 'nonce' });
  await node.call('anvil_dropTransaction', hash);
  expect(events(await call(METHOD, hash))).toEqual(['received', 'dropped']);
});

it('a forked chain reports transactions before the fork, and none after it', async () => {
  const one = await live({ automine: true });
  const before = await one.send();
  const fork = await createDevnet({ forkUrl: one.url.replace('ws', 'http'), port: 0, noForkCache: true });
  closing.push(() => fork.close());
  const later = await one.send();
  const call = callsOf(fork);
  const place = { blockNumber: '0x1', transactionIndex: '0x0', flashblockIndex: null };
  expect(await call(METHOD, before)).toMatchObject({ status: 'sealed', ...place, events: [] });
  expect(await call(METHOD, later)).toMatchObject({ status: 'unknown', blockNumber: null });
});

it('a chain that anvil_reset forks anew has taken its own transactions back', async () => {
  const one = await live({ automine: true });
  await one.send();
  const two = await live({ automine: true });
  const hash = await two.send(two.accounts.second);
  await two.call('anvil_reset', { forking: { jsonRpcUrl: one.url.replace('ws', 'http') } });
  const status = await two.call(METHOD, hash);
  expect(status).toMatchObject({ status: 'reorged', blockHash: null });
  expect(events(status)).toEqual(['received', 'sealed', 'reorged']);
});

it('over WebSocket, and in a batch that sends', async () => {
  const node = await live();
  const client = await subscriber(node.url);
  const hash = await node.send();
  expect((await client.call(METHOD, hash)).status).toBe('waiting');
  client.socket.close();
  const { first } = node.accounts;
  const sent = { from: first, to: first, gas: '0x5208', nonce: '0x1' };
  const raw = await node.call('eth_signTransaction', { ...sent, maxFeePerGas: '0x77359400' });
  const next = await node.call('web3_sha3', raw);
  const calls: [string, ...unknown[]][] = [
    [METHOD, next],
    ['eth_sendRawTransaction', raw],
    [METHOD, next],
    ['devnet_tick'],
    [METHOD, next],
  ];
  const response = await fetch(node.url.replace('ws', 'http'), {
    method: 'POST',
    body: JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))),
  });
  const answers = (await response.json()) as Wire[];
  expect(answers.map(({ result }) => result?.status ?? result)).toEqual([
    'unknown',
    next,
    'waiting',
    expect.anything(),
    'preconfirmed',
  ]);
});
