import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Dispatcher } from '../../src/rpc/dispatch.ts';
import type { Page } from '../../src/server/http.ts';
import { RpcServer } from '../../src/server/server.ts';
import { eventually } from '../eventually.ts';
import { fakeContext } from '../rpc/fake-chain.ts';
import { call, clock, post, seen, start, stopServersAfterEachTest } from './start-server.ts';

stopServersAfterEachTest();

describe('start and stop', () => {
  test('a port in use is reported by code', async () => {
    const { port } = await start();
    const dispatcher = new Dispatcher({}, { methods: [], context: fakeContext(), clock });
    const second = new RpcServer({}, { dispatcher, clock });
    await expect(second.start('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('running answers are finished, over HTTP and WebSocket, then nobody is served', async () => {
    const { server, url, port } = await start();
    const webSocket = new WebSocket(`ws://127.0.0.1:${port}`);
    await new Promise((resolve) => webSocket.once('open', resolve));
    const closed = new Promise((resolve) => webSocket.once('close', resolve));
    const pushed = new Promise((resolve) => webSocket.once('message', (data) => resolve(String(data))));
    const answer = post(url, call('hold'));
    webSocket.send(call('hold'));
    await eventually(() => expect(seen.held).toHaveLength(2));
    const stopped = server.stop();
    for (const release of seen.held) release('late');
    expect((await answer).json.result).toBe('late');
    expect(await pushed).toMatch('late');
    expect(await closed).toBe(1001);
    await stopped;
    await expect(post(url, call('eth_chainId'))).rejects.toThrow();
  });

  test('an upgrade that comes behind a call is taken when that is answered', async () => {
    const { port } = await start();
    const body = call('hold');
    const socket = connect(port, '127.0.0.1');
    const parts: string[] = [];
    socket.on('data', (data) => parts.push(String(data)));
    const upgrade =
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
    const length = `Content-Length: ${body.length}`;
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n${body}${upgrade}`);
    await eventually(() => expect(seen.held).toHaveLength(1));
    for (const release of seen.held) release('late');
    const statuses = () => parts.join('').match(/HTTP\/1.1 \d+/g);
    await eventually(() => expect(statuses()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 101']));
    socket.destroy();
  });

  test('connections that wait for no answer do not hold up the stop', async () => {
    let show = (_: Page) => {};
    const page = new Promise<Page>((resolve) => {
      show = resolve;
    });
    const shown = vi.fn(() => page);
    const { server, port } = await start({ stopGraceMs: 60_000 }, { pages: new Map([['/page', shown]]) });
    const open = async (text: string) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(text);
      return socket;
    };
    // Before they ask, while they ask, and one that would ask again.
    await open('');
    await open('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{');
    const kept = await open('GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const answer = new Promise((resolve) => kept.once('data', (data) => resolve(String(data))));
    const silent = new WebSocket(`ws://127.0.0.1:${port}`);
    await new Promise((resolve) => silent.once('open', resolve));
    silent.pause();
    await eventually(() => expect(shown).toHaveBeenCalled());
    const stopped = server.stop();
    show({ type: 'text/plain', text: 'late' });
    expect(await answer).toMatch('late');
    await stopped;
    silent.terminate();
  });

  test('an answer that never comes does not hold up the stop past its grace', async () => {
    const { server, url } = await start({ stopGraceMs: 20 });
    const answer = post(url, call('hold')).catch(() => 'cut');
    await eventually(() => expect(seen.held).toHaveLength(1));
    await server.stop();
    expect(await answer).toBe('cut');
  });
});
