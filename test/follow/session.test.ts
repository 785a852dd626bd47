import { once } from 'node:events';
import { createServer } from 'node:net';
import { hexToBytes } from '@ethereumjs/util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { ManualClock } from '../../src/clock.ts';
import { Sessions } from '../../src/follow/session.ts';
import { RpcClient, Unreachable } from '../../src/remote/rpc-client.ts';
import { eventually } from '../eventually.ts';
import { SilentProxy } from '../silent-proxy.ts';
import { closeNodesAfterEachTest, type Live, sequencer } from './nodes.ts';

closeNodesAfterEachTest();

const running: Sessions[] = [];
afterEach(async () => {
  for (const sessions of running.splice(0)) await sessions.stop();
});

/** Sessions on a clock that stands still, with a follower that only takes part in name. */
async function sessionsOf(live: Live, follower: { restart(): Promise<void>; message(): Promise<void> }) {
  const lines: string[] = [];
  const fatal: unknown[] = [];
  const clock = new ManualClock();
  const { hash } = await live.call('eth_getBlockByNumber', '0x0', false);
  const sessions = new Sessions(
    { stream: `${live.url}/flashblocks`, rpc: live.url },
    {
      follower: { ...follower, head: async () => {} },
      genesis: { number: 0n, hash: hexToBytes(hash) },
      clock,
      onLine: (line) => lines.push(line),
      onFatal: (error) => fatal.push(error),
    },
  );
  running.push(sessions);
  return { sessions, clock, lines, fatal };
}

/** A WebSocket server that is no node. */
async function otherSide(onConnection: (socket: WebSocket) => void) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }).on('connection', onConnection);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `ws://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

describe('a connection to the sequencer', () => {
  test('that has ended leaves nothing for the next one to trip over', async () => {
    const live = await sequencer();
    const port = Number(new URL(live.url).port);
    let fail = () => {};
    const message = vi.fn(
      () =>
        new Promise<void>((_, reject) => {
          fail = () => reject(new Unreachable());
        }),
    );
    const restart = vi.fn(async () => {});
    const { sessions, clock, lines } = await sessionsOf(live, { restart, message });
    await sessions.start();
    for (let tick = 0; tick < 3; tick++) await live.tick();
    await eventually(() => expect(message).toHaveBeenCalledTimes(1));
    await live.close();
    await eventually(() => expect(lines).toHaveLength(1));
    await sequencer({ port });
    await clock.advance(1_000);
    await eventually(async () => expect(await sessions.request('eth_chainId')).toBe('0x7a69'));
    fail();
    await eventually(() => expect(restart).toHaveBeenCalledTimes(2));
    expect(message).toHaveBeenCalledTimes(1);
    expect(await sessions.request('eth_chainId')).toBe('0x7a69');
  });

  test('that goes silent is reported, given up, and made again', async () => {
    const live = await sequencer();
    const between = await SilentProxy.before(live.url);
    const follower = { restart: async () => {}, message: async () => {} };
    const through = { ...live, url: between.urlOf(live.url) };
    const { sessions, clock, lines } = await sessionsOf(through, follower);
    await sessions.start();
    expect(sessions.connectionState()).toEqual({ heardMs: 0, problem: null });
    between.silence();
    await clock.advance(10_000);
    // Both sockets were ended after two pings without an answer.
    await eventually(() =>
      expect(lines).toContainEqual(expect.stringMatching(/^the connection to .* ended/)),
    );
    await clock.advance(2_000);
    expect(sessions.connectionState()).toMatchObject({
      heardMs: 12_000,
      problem: expect.stringMatching(/^this node has not heard of ws:.* for 12 s/),
    });
    expect(lines).toContainEqual(
      expect.stringMatching(/^this node has not heard of ws:.*, so its chain may be old$/),
    );
    between.speak();
    await eventually(async () => {
      await clock.advance(1_000);
      expect(lines).toContainEqual(expect.stringMatching(/^this node hears of ws:.* again, after \d+ s$/));
    });
    expect(sessions.connectionState().problem).toBeNull();
    await sessions.stop();
    await between.close();
  });

  test('is not begun again for a store that fails: that ends the node', async () => {
    const live = await sequencer();
    const full = Object.assign(new Error('no space left on device'), { code: 'LEVEL_IO_ERROR' });
    const { sessions, fatal } = await sessionsOf(live, {
      restart: () => Promise.reject(full),
      message: async () => {},
    });
    await sessions.start();
    expect(fatal).toEqual([full]);
  });

  test('is given up when the other side does not speak JSON', async () => {
    await using server = await otherSide((socket) => socket.on('message', () => socket.send('what?')));
    const client = await RpcClient.open(server.url, new ManualClock());
    await expect(client.request('eth_chainId')).rejects.toBeInstanceOf(Unreachable);
  });

  test('is not waited for where nobody answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const clock = new ManualClock();
    const opened = RpcClient.open(`ws://127.0.0.1:${port}`, clock);
    await once(silent, 'connection');
    await Promise.all([expect(opened).rejects.toThrow('within 5000 ms'), clock.advance(5_000)]);
    silent.close();
  });

  test('that lives, but where no answer comes, is waited for as long as was said', async () => {
    await using server = await otherSide(() => {});
    const clock = new ManualClock();
    const client = await RpcClient.open(server.url, clock);
    const answer = client.request('eth_chainId', [], 4_000);
    const refused = expect(answer).rejects.toMatchObject({
      name: 'RpcError',
      message: expect.stringMatching(/eth_chainId within 4000 ms/),
    });
    const patient = client.request('eth_gasPrice');
    await clock.advance(4_000);
    await refused;
    client.close();
    await expect(patient).rejects.toBeInstanceOf(Unreachable);
  });
});
