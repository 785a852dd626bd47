import type { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { call, seen, start } from './start-server.ts';

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
    const { port } = await start();
    const { socket, next } = await open(port);
    socket.pause();
    // In one packet.
    const tcp = (socket as unknown as { _socket: Socket })._socket;
    tcp.cork();
    for (let id = 0; id < 120; id++) socket.send(call('big', [], id));
    tcp.uncork();
    let before = -1;
    // It stands still when the buffers of both ends are full.
    await vi.waitFor(
      () => {
        const now = seen.bigCalls;
        const moved = now === 0 || now !== before;
        before = now;
        expect(moved).toBe(false);
      },
      { timeout: 15_000 },
    );
    expect(seen.bigCalls).toBeGreaterThan(0);
    expect(seen.bigCalls).toBeLessThan(100);
    socket.resume();
    for (let id = 0; id < 120; id++) expect(await next()).toMatchObject({ id });
    socket.terminate();
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
    await vi.waitFor(() => expect(seen.ended).toBe(1));
  });

  test('a push that does not fit the buffer is dropped, and the log learns of it', async () => {
    const { port } = await start({ notificationBuffer: 5 });
    const { socket, next } = await open(port);
    socket.send(call('listen'));
    expect(await next()).toMatchObject({ result: false });
    socket.terminate();
    await vi.waitFor(() => expect(seen.dropped).toEqual([1]));
  });

  test('a message over the body limit ends the connection', async () => {
    const { port } = await start({ bodyLimit: 100 });
    const { socket } = await open(port);
    const code = new Promise((resolve) => socket.once('close', resolve));
    socket.send('x'.repeat(101));
    expect(await code).toBe(1009);
  });
});
