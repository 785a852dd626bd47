import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ManualClock } from '../../src/clock.ts';
import { defineMethod } from '../../src/rpc/define-method.ts';
import { Dispatcher } from '../../src/rpc/dispatch.ts';
import { Heartbeat } from '../../src/server/heartbeat.ts';
import { RpcWebSocket } from '../../src/server/websocket.ts';
import { eventually } from '../eventually.ts';
import { fakeContext } from '../rpc/fake-chain.ts';
import { Pipe, UPGRADE } from './pipe.ts';
import { big, call, clock, seen, start, stopServersAfterEachTest } from './start-server.ts';

stopServersAfterEachTest();

/** On a clock that stands still: a ping in the middle of a test on a slow machine would be one more message. */
const heartbeat = new Heartbeat({}, { clock: new ManualClock() });

describe('WebSocket', () => {
  async function open(port: number) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    const received: unknown[] = [];
    let wake = () => {};
    socket.on('message', (data) => {
      received.push(JSON.parse(String(data)));
      wake();
    });
    await new Promise((resolve) => socket.once('open', resolve));
    const next = async (): Promise<unknown> => {
      while (received.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return received.shift();
    };
    return { socket, next };
  }

  test('answers calls, batches and malformed messages', async () => {
    const { port } = await start();
    const { socket, next } = await open(port);
    socket.send(call('eth_chainId', [], 'q'));
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 'q', result: '0x7a69' });
    socket.send(`[${call('eth_chainId', [], 1)},${call('eth_nope', [], 2)}]`);
    expect(await next()).toMatchObject([{ id: 1 }, { id: 2, error: { code: -32601 } }]);
    socket.send('{');
    expect(await next()).toMatchObject({ id: null, error: { code: -32700 } });
    socket.send('{"jsonrpc":"2.0","method":"eth_chainId"}');
    socket.send(Buffer.from(call('eth_blockNumber')));
    expect(await next()).toMatchObject({ result: '0x2' });
    socket.terminate();
  });

  test('many requests at once are all answered in order', async () => {
    const { port } = await start();
    const { socket, next } = await open(port);
    for (let id = 0; id < 1000; id++) socket.send(call('eth_chainId', [], id));
    for (let id = 0; id < 1000; id++) expect(await next()).toMatchObject({ id });
    socket.terminate();
  });

  test('a caller who does not read the answers is not served further until he does', async () => {
    const dispatcher = new Dispatcher({}, { methods: [big], context: fakeContext(), clock });
    const rpc = new RpcWebSocket(
      { bodyLimit: 1000, notificationBuffer: 1000, sendBuffer: 2 ** 30 },
      { dispatcher, clock, heartbeat },
    );
    const pipe = new Pipe();
    rpc.upgrade(UPGRADE, pipe, Buffer.alloc(0));
    await pipe.settle();
    const requests = 120;
    for (let id = 0; id < requests; id++) pipe.push(frame(call('big', [], id)));
    await pipe.settle();
    // One answer fills the buffer.
    expect(seen.bigCalls).toBe(1);
    // Read from the socket, and no more: those that may run at once or wait for their turn.
    expect(pipe.readableLength).toBeGreaterThan(0);
    for (let served = 2; served <= requests; served++) {
      pipe.read1();
      await pipe.settle();
      expect(seen.bigCalls).toBe(served);
    }
    pipe.read1();
    pipe.destroy();
    await rpc.stop();
  });

  test('a request that comes while pushes pile up is answered when they have left', async () => {
    const flood = defineMethod({
      name: 'flood',
      kind: 'read',
      params: [],
      handler: ({ connection }) => {
        for (let i = 0; i < 3; i++) connection!.notify(Buffer.alloc(2 ** 20, 'x'));
        return true;
      },
    });
    const dispatcher = new Dispatcher({}, { methods: [flood, big], context: fakeContext(), clock });
    const rpc = new RpcWebSocket(
      { bodyLimit: 1000, notificationBuffer: 2 ** 30, sendBuffer: 2 ** 30 },
      { dispatcher, clock, heartbeat },
    );
    const pipe = new Pipe();
    rpc.upgrade(UPGRADE, pipe, Buffer.alloc(0));
    await pipe.settle();
    // Without an id, so that no answer of its own tells when the pushes have left.
    pipe.push(frame('{"jsonrpc":"2.0","method":"flood"}'));
    await pipe.settle();
    pipe.push(frame(call('big')));
    await pipe.settle();
    expect(seen.bigCalls).toBe(0);
    for (let read = 0; read < 4; read++) {
      pipe.read1();
      await pipe.settle();
    }
    expect(seen.bigCalls).toBe(1);
    pipe.destroy();
    await rpc.stop();
  });

  test('nothing comes between the fragments of a streamed answer', async () => {
    const { port } = await start();
    const { socket, next } = await open(port);
    socket.send(call('stream', [false], 1));
    socket.send(call('eth_chainId', [], 2));
    socket.send(call('stream', [false], 3));
    const message = await next();
    expect(message).toMatchObject({ id: 1 });
    const rest = [await next(), await next(), await next(), await next()];
    expect(rest.filter((got) => (got as { hello?: number }).hello === 2)).toHaveLength(2);
    expect(rest).toMatchObject(expect.arrayContaining([expect.objectContaining({ id: 2 })]));
    expect(rest).toMatchObject(expect.arrayContaining([expect.objectContaining({ id: 3 })]));
    socket.terminate();
  });

  test('a streamed answer that fails halfway ends the connection', async () => {
    const { port } = await start();
    const { socket } = await open(port);
    socket.send(call('stream', [true]));
    expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(1006);
  });

  test('a handler can push to its connection and learns of its end', async () => {
    const { port } = await start();
    const { socket, next } = await open(port);
    socket.send(call('listen'));
    expect(await next()).toEqual({ hello: 1 });
    expect(await next()).toMatchObject({ result: true });
    socket.close();
    await eventually(() => expect(seen.ended).toBe(1));
  });

  test('a push that does not fit the buffer is dropped, and the log learns of it', async () => {
    const { port } = await start({ notificationBuffer: 5 });
    const { socket, next } = await open(port);
    socket.send(call('listen'));
    expect(await next()).toMatchObject({ result: false });
    socket.terminate();
    await eventually(() => expect(seen.dropped).toEqual([1]));
  });

  test('a message over the body limit ends the connection', async () => {
    const { port } = await start({ bodyLimit: 100 });
    const { socket } = await open(port);
    const code = new Promise((resolve) => socket.once('close', resolve));
    socket.send('x'.repeat(101));
    expect(await code).toBe(1009);
  });
});

/** A text frame of a client, masked with zeros (RFC 6455, 5.2); up to 125 bytes. */
function frame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
}
