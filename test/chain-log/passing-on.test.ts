import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { SilentProxy } from '../silent-proxy.ts';
import { cleanAfterEachTest, follower, leader, post } from './nodes.ts';

const redis = useRedis();
cleanAfterEachTest(redis);

const redisTimeout = 2_500;

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A leader whose followers reach it by way of a proxy, and one of them. */
async function apart() {
  const port = await freePort();
  const between = await SilentProxy.before(`http://127.0.0.1:${port}`);
  onTestFinished(() => between.close());
  const advertise = `http://127.0.0.1:${between.port}`;
  const live = await leader(redis.url, { redisTimeout, port, advertise });
  const other = await follower(redis.url, { redisTimeout });
  const [from, to] = await other.call('eth_accounts');
  return { live, other, between, transaction: { from, to, value: '0x1' } };
}

describe.skipIf(!HAS_REDIS)('a call that is passed on', () => {
  test('to a leader that hangs ends after some seconds', async () => {
    const { other, between, transaction } = await apart();
    between.silence();
    const unknown = `0x${'12'.repeat(32)}`;
    const begun = performance.now();
    await Promise.all([
      expect(other.call('eth_sendTransaction', transaction)).rejects.toMatchObject({
        code: -32000,
        message: expect.stringMatching(
          /has answered nothing for 2.5 s: whether it has done what was asked is not known$/,
        ),
      }),
      // What is known here is all that is known.
      expect(other.call('eth_getTransactionByHash', unknown)).resolves.toBeNull(),
    ]);
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  test('to a leader that hangs ends when its follower leads, which answers what is only read', async () => {
    const { live, other, between, transaction } = await apart();
    between.silence();
    const sent = expect(other.call('eth_sendTransaction', transaction)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/was replaced before it answered|has answered nothing/),
    });
    const accounts = other.call('eth_accounts');
    await live.node.close();
    await other.call('devnet_promote');
    expect(await accounts).toContain(transaction.from);
    await sent;
    expect(await other.call('eth_sendTransaction', transaction)).toMatch(/^0x/);
  });

  test('goes nowhere else where the address of the leader is that of a follower', async () => {
    const port = await freePort();
    const live = await leader(redis.url, { advertise: `http://127.0.0.1:${port}` });
    const other = await follower(redis.url, { port });
    const third = await follower(redis.url);
    const [from, to] = await live.call('eth_accounts');
    for (const one of [other, third]) {
      await expect(one.call('eth_sendTransaction', { from, to, value: '0x1' })).rejects.toMatchObject({
        code: -32000,
        message: expect.stringMatching(/isn't the leader: the leader's --advertise must be/),
      });
      expect(await one.call('eth_getTransactionByHash', `0x${'12'.repeat(32)}`)).toBeNull();
      expect(await one.call('eth_blockNumber')).toBe('0x0');
    }
    const refused = await post(other.url, 'eth_sendTransaction', [{ from, to }], { 'devnet-forwarded': '1' });
    expect(refused).toMatchObject({ status: 421, body: { error: { code: -32000 } } });
    const taken = await post(live.url, 'eth_chainId', [], { 'devnet-forwarded': '1' });
    expect(taken.status).toBe(200);
  });

  test('is answered with a sentence where a proxy answers in the place of the leader', async () => {
    const proxy = createServer((_, response) => response.writeHead(502).end('<html>')).listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await once(proxy, 'listening');
    const advertise = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    await leader(redis.url, { advertise });
    const other = await follower(redis.url);
    await expect(other.call('eth_accounts')).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/answers what is no JSON-RPC \(HTTP 502\)$/),
    });
  });
});
