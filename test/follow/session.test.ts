import { hexToBytes } from '@ethereumjs/util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { ManualClock } from '../../src/clock.ts';
import { Sessions } from '../../src/follow/session.ts';
import { RpcClient, Unreachable } from '../../src/remote/rpc-client.ts';
import { type Live, sequencer } from './nodes.ts';

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
    await vi.waitFor(() => expect(message).toHaveBeenCalledTimes(1));
    await live.close();
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    await sequencer({ port });
    await clock.advance(1_000);
    await vi.waitFor(async () => expect(await sessions.request('eth_chainId')).toBe('0x7a69'));
    fail();
    await vi.waitFor(() => expect(restart).toHaveBeenCalledTimes(2));
    expect(message).toHaveBeenCalledTimes(1);
    expect(await sessions.request('eth_chainId')).toBe('0x7a69');
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
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    server.on('connection', (socket) => socket.on('message', () => socket.send('what?')));
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const client = await RpcClient.open(`ws://127.0.0.1:${port}`, new ManualClock());
    await expect(client.request('eth_chainId')).rejects.toBeInstanceOf(Unreachable);
    server.close();
  });
});
