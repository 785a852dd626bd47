import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { connectRedis } from '../../src/redis/connect.ts';
import { eventually } from '../eventually.ts';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { agree, cleanAfterEachTest, follower, leader, post } from './nodes.ts';

const redis = useRedis();
const open: { close(): void }[] = [];
afterEach(() => {
  for (const proxy of open.splice(0)) proxy.close();
});
cleanAfterEachTest(redis);

/** A way to Redis that can be cut. */
async function wayToRedis() {
  const sockets = new Set<Socket>();
  const { port } = new URL(redis.url);
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(port), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const close = () => {
    cut();
    server.close();
  };
  open.push({ close });
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, cut };
}

const balance = (url: string, of: string, position: string) =>
  post(url, 'eth_getBalance', [of, 'latest'], { 'devnet-position': position });

describe.skipIf(!HAS_REDIS)('a leader that was replaced while it was cut from Redis', () => {
  test('answers no position of the later leader with its own state, and ends', async () => {
    const way = await wayToRedis();
    // Nobody listens there, so that the node which is promoted can't tell this one.
    const old = await leader(way.url, { automine: true, advertise: 'http://127.0.0.1:9' });
    const other = await follower(redis.url);
    const [, to] = await old.call('eth_accounts');
    const shared = await post(old.url, 'anvil_setBalance', [to, '0x1']);
    await agree(old, other);
    way.cut();
    const lost = await post(old.url, 'anvil_setBalance', [to, '0x2']);
    // Instead of a wait for its end.
    const client = await connectRedis(redis.url);
    await client.del('devnet:31337:lease');
    client.destroy();
    await other.call('devnet_promote');
    const made = await post(other.url, 'anvil_setBalance', [to, '0x3']);
    expect(made.position).toMatch(/^2-/);

    // The new leader has what was in the log of the old one, and not what came after that.
    expect(await balance(other.url, to, shared.position!)).toMatchObject({
      status: 200,
      body: { result: '0x3' },
    });
    expect((await balance(other.url, to, lost.position!)).status).toBe(503);
    // The old one still answers for itself.
    expect(await balance(old.url, to, lost.position!)).toMatchObject({
      status: 200,
      body: { result: '0x2' },
    });
    const ended = expect(old.node.closed).rejects.toThrow('another node leads this chain now');
    expect(await balance(old.url, to, made.position!)).toMatchObject({
      status: 503,
      body: { error: { code: -32000 } },
    });
    await ended;
    await eventually(() => expect(fetch(old.url)).rejects.toThrow());

    // A follower that comes later knows where the earlier leader ended, too.
    const late = await follower(redis.url);
    expect((await balance(late.url, to, lost.position!)).status).toBe(503);
    expect((await balance(late.url, to, shared.position!)).status).toBe(200);
  });

  test('does not take a position that nobody made for a proof', async () => {
    const live = await leader(redis.url, { automine: true });
    const [, to] = await live.call('eth_accounts');
    const own = await post(live.url, 'anvil_setBalance', [to, '0x1']);
    const [fence, task] = own.position!.split('-').map(Number);
    for (const position of [`${fence! + 1}-4`, `${fence}-${task! + 1}`, '0-1', 'none'])
      expect((await balance(live.url, to, position)).status).toBe(503);
    expect((await balance(live.url, to, own.position!)).status).toBe(200);
    expect(live.lines).toEqual([]);
  });
});
