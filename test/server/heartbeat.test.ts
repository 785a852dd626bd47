import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ManualClock } from '../../src/clock.ts';
import { Dispatcher } from '../../src/rpc/dispatch.ts';
import { RpcServer } from '../../src/server/server.ts';
import { fakeContext } from '../rpc/fake-chain.ts';

test('a peer that answers pings stays connected, a silent one is cut off', async () => {
  const clock = new ManualClock();
  const dispatcher = new Dispatcher({}, { methods: [], context: fakeContext(), clock });
  const server = new RpcServer({ heartbeatMs: 1_000 }, { dispatcher, clock });
  const { port } = await server.start('127.0.0.1', 0);
  const open = async (autoPong: boolean) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
    await new Promise((resolve) => socket.once('open', resolve));
    return socket;
  };
  const alive = await open(true);
  const silent = await open(false);
  const closed = new Promise((resolve) => silent.once('close', resolve));
  for (let beat = 0; beat < 3; beat++) {
    const pinged = new Promise((resolve) => alive.once('ping', resolve));
    await clock.advance(1_000);
    await pinged;
    // Its pong went out before this ping, so it is there when the answer comes back.
    const answered = new Promise((resolve) => alive.once('pong', resolve));
    alive.ping();
    await answered;
  }
  expect(await closed).toBe(1006);
  expect(alive.readyState).toBe(WebSocket.OPEN);
  await server.stop();
});
