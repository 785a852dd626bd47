import { afterEach, expect } from 'vitest';
import { LogStore } from '../../src/chain-log/log-store.ts';
import { createDevnet, type Devnet, type DevnetOptions, followDevnet } from '../../src/index.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { eventually } from '../eventually.ts';
import { type Call, callsOf, type Wire } from '../wire.ts';

const open: Devnet[] = [];

/** Registers the hook of a test file: after each test nodes are closed and Redis is emptied. */
export function cleanAfterEachTest(redis: { readonly url: string }): void {
  afterEach(async () => {
    for (const node of open.splice(0).toReversed()) await node.close();
    if (redis.url === '') return;
    const client = await connectRedis(redis.url);
    await client.flushAll();
    client.destroy();
  });
}

export interface Shared {
  readonly node: Devnet;
  readonly call: Call;
  readonly url: string;
  /** what a leader said at its start */
  readonly start: readonly string[];
  /** what was said since */
  readonly lines: string[];
}

/** A leader on a clock that stands still between the calls. */
export async function leader(redis: string, options: DevnetOptions = {}): Promise<Shared> {
  const lines: string[] = [];
  const manual = { manualClock: true, timestamp: 1_700_000_000 };
  const node = await createDevnet(
    { port: 0, redis, newLog: true, ...manual, ...options },
    { onFollow: (line) => lines.push(line) },
  );
  return shared(node, lines);
}

export async function follower(redis: string, options: DevnetOptions = {}): Promise<Shared> {
  const lines: string[] = [];
  const node = await followDevnet(redis, { port: 0, ...options }, { onFollow: (line) => lines.push(line) });
  return shared(node, lines);
}

/** @param lines what the node has said until now, to which it adds */
export function shared(node: Devnet, lines: string[]): Shared {
  const start = lines.splice(0);
  open.push(node);
  // A test waits for it where it expects that.
  node.closed.catch(() => {});
  return { node, call: callsOf(node), url: node.url!, start, lines };
}

/** What readers see: head and pending, whole, with the receipts. */
async function views({ call }: Shared) {
  return Promise.all([
    call('eth_getBlockByNumber', 'latest', true),
    call('eth_getBlockByNumber', 'pending', true),
    call('eth_getBlockReceipts', 'latest'),
    call('eth_getBlockReceipts', 'pending'),
  ]);
}

/** Waits until the followers are where the leader is, whose clock stands still, and compares what readers see. */
export async function agree(live: Shared, ...followers: Shared[]): Promise<void> {
  const { position, flashblock } = await live.call('devnet_status');
  // Where blocks have no parts, each node builds its own pending block, by its own clock.
  const parts = flashblock ? 4 : 1;
  const expected = (await views(live)).slice(0, parts);
  for (const one of followers) {
    await eventually(async () => expect((await one.call('devnet_status')).position).toBe(position), {
      timeout: 10_000,
    });
    expect((await views(one)).slice(0, parts)).toEqual(expected);
  }
}

/** Blocks until the newest snapshot is one of those that are taken from now on, and is complete. */
export async function untilSnapshot(
  redis: string,
  live: Shared,
  seal: () => Promise<unknown>,
): Promise<void> {
  const store = await LogStore.open(redis, 31337n);
  const before = (await store.snapshots()).at(-1)?.name;
  await eventually(
    async () => {
      await seal();
      expect((await store.snapshots()).at(-1)?.name).not.toBe(before);
    },
    { timeout: 15_000 },
  );
  store.redis.destroy();
  expect(live.lines).toEqual([]);
}

/** A JSON-RPC call over HTTP. */
export async function post(url: string, method: string, params: unknown[] = [], headers: object = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return {
    status: response.status,
    position: response.headers.get('devnet-position'),
    behind: response.headers.get('devnet-behind'),
    body: (await response.json()) as Wire,
  };
}

/** What `/healthz` answers. */
export async function health({ url }: Shared): Promise<[status: number, text: string]> {
  const response = await fetch(`${url}/healthz`);
  return [response.status, await response.text()];
}
