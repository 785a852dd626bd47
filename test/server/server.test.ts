import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { SystemClock } from '../../src/clock.ts';
import { defineMethod } from '../../src/rpc/define-method.ts';
import { Dispatcher } from '../../src/rpc/dispatch.ts';
import { METHODS } from '../../src/rpc/methods/index.ts';
import { RpcServer, type ServerOptions } from '../../src/server/server.ts';
import { fakeContext } from '../rpc/fake-chain.ts';

const clock = new SystemClock();
const servers: RpcServer[] = [];
const held: ((value: string) => void)[] = [];
let ended = 0;
const dropped: number[] = [];
const stderr = vi.spyOn(process.stderr, 'write');

beforeEach(() => {
  ended = 0;
  held.length = 0;
  dropped.length = 0;
  stderr.mockClear();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  expect(stderr).not.toHaveBeenCalled();
});

const hold = defineMethod({
  name: 'hold',
  params: [],
  handler: () =>
    new Promise<string>((resolve) => {
      held.push(resolve);
    }),
});
let bigCalls = 0;
const big = defineMethod({
  name: 'big',
  params: [],
  handler: () => {
    bigCalls++;
    return 'x'.repeat(1024 * 1024);
  },
});
const boom = defineMethod({
  name: 'boom',
  params: [],
  handler: () => {
    throw new Error('secret');
  },
});
const listen = defineMethod({
  name: 'listen',
  params: [],
  handler: ({ connection }) => {
    connection?.onClose(() => ended++);
    return connection?.notify('{"hello":1}') ?? false;
  },
});

async function start(options: ServerOptions = {}) {
  const dispatcher = new Dispatcher(
    {},
    { methods: [...METHODS, hold, big, boom, listen], context: fakeContext(), clock },
  );
  const server = new RpcServer(options, {
    dispatcher,
    clock,
    onDropped: (messages) => dropped.push(messages),
  });
  servers.push(server);
  const { port } = await server.start('127.0.0.1', 0);
  return { server, port, url: `http://127.0.0.1:${port}/` };
}

const call = (method: string, params: unknown = [], id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

async function post(url: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'POST', body, headers });
  const text = await response.text();
  return { response, status: response.status, text, json: text === '' ? undefined : JSON.parse(text) };
}

/** One request in raw HTTP: fetch doesn't let its caller set Host. */
function raw(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

const withHost = (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

describe('POST', () => {
  test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', ''])(
    'is read as JSON whatever its Content-Type: "%s"',
    async (type) => {
      const { url } = await start();
      const { status, json, response } = await post(url, call('eth_chainId', [], 'x'), {
        'content-type': type,
      });
      expect(status).toBe(200);
      expect(json).toEqual({ jsonrpc: '2.0', id: 'x', result: '0x7a69' });
      expect(response.headers.get('content-type')).toMatch('application/json');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.has('x-powered-by')).toBe(false);
    },
  );

  test.each([
    ['bad JSON', '{', -32700],
    ['no body', '', -32700],
    ['an empty batch', '[]', -32600],
    ['a number', '5', -32600],
    ['no version', '{"id":1,"method":"eth_chainId"}', -32600],
    ['an id that is a list', call('eth_chainId', [], []), -32600],
    ['an unknown method', call('eth_nope'), -32601],
    ['params that are an object', call('eth_chainId', {}), -32602],
    ['a bad parameter', call('eth_getBalance', ['0x1']), -32602],
    ['an unknown block in a state read', call('eth_getBalance', [`0x${'00'.repeat(20)}`, '0xff']), -32000],
    ['a fault inside', call('boom'), -32603],
  ])('%s: HTTP 200 and its code', async (_, body, code) => {
    const { url } = await start();
    const { status, json, text } = await post(url, body);
    expect(status).toBe(200);
    expect(json.error.code).toBe(code);
    expect(text).not.toMatch(/secret|<|\bat \//);
  });

  test('a batch is answered in order', async () => {
    const { url } = await start();
    const calls = [call('eth_chainId', [], 'b'), call('eth_nope', [], null), call('eth_blockNumber', [], 7)];
    const { json } = await post(url, `[${calls.join(',')}]`);
    expect(json.map(({ id }: { id: unknown }) => id)).toEqual(['b', null, 7]);
  });

  test('a notification gets 204 and no body', async () => {
    const { url } = await start();
    const note = '{"jsonrpc":"2.0","method":"eth_chainId"}';
    expect(await post(url, note)).toMatchObject({ status: 204, text: '' });
    expect(await post(url, `[${note}]`)).toMatchObject({ status: 204, text: '' });
  });

  test('a body over the limit gets 413 and a JSON-RPC error', async () => {
    const { url } = await start({ bodyLimit: 100 });
    expect((await post(url, call('eth_chainId'))).status).toBe(200);
    for (const size of [101, 300]) {
      const { status, json } = await post(url, ' '.repeat(size));
      expect(status).toBe(413);
      expect(json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
    }
  });
});

describe('other requests', () => {
  test('GET / is for people', async () => {
    const { url } = await start();
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/JSON-RPC/);
  });

  test('other paths are 404, other verbs 405, a broken URL no stack', async () => {
    const { url } = await start();
    expect(await post(`${url}rpc`, call('eth_chainId'))).toMatchObject({ status: 404, json: { error: {} } });
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(405);
    const { text } = await post(`${url}%ff`, '');
    expect(text).not.toMatch(/<|node_modules/);
  });

  test('what Express cannot read is refused without HTML', async () => {
    const { port } = await start();
    const answer = await raw(port, 'GET http:// HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(answer).not.toMatch(/<html/);
  });

  test('an offer of HTTP/2 is ignored, as with the first POST of Java clients', async () => {
    const { port } = await start();
    const post = (connection: string) =>
      `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\nContent-Length: ${call('eth_chainId').length}\r\n` +
      `${connection === 'close' ? '' : 'Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n'}\r\n${call('eth_chainId')}`;
    const answer = await raw(port, post('Upgrade, HTTP2-Settings') + post('close'));
    expect(answer.match(/0x7a69/g)).toHaveLength(2);
  });

  test('CORS lets any page send any header', async () => {
    const { url } = await start();
    const headers = { origin: 'https://app.example', 'access-control-request-headers': 'authorization,x-y' };
    const response = await fetch(url, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,x-y');
    expect(response.headers.get('access-control-allow-methods')).toMatch(/POST/);
  });
});

describe('the Host header', () => {
  test.each(['localhost', 'LOCALHOST:8545', '127.0.0.1', '10.0.0.1:1', '[::1]:8545', '[::1]'])(
    '%s is served',
    async (host) => {
      const { port } = await start();
      expect(await raw(port, withHost(host))).toMatch(/^HTTP\/1.1 200/);
    },
  );

  test.each(['evil.example', 'localhost.evil.example', 'xlocalhost', '1.2.3.4.evil.example', ''])(
    '%s is 403 with the flag to lift it',
    async (host) => {
      const { port } = await start();
      const answer = await raw(port, withHost(host));
      expect(answer).toMatch(/^HTTP\/1.1 403/);
      expect(answer).toMatch(/--allow-host/);
    },
  );

  test('an allowed name is served, and with * every name', async () => {
    const named = await start({ allowHosts: ['Node.Local'] });
    expect(await raw(named.port, withHost('node.local:1'))).toMatch(/ 200 /);
    expect(await raw(named.port, withHost('other.local'))).toMatch(/ 403 /);
    const any = await start({ allowHosts: ['*'] });
    expect(await raw(any.port, withHost('evil.example'))).toMatch(/ 200 /);
  });

  test('is checked on WebSocket upgrades too', async () => {
    const { port } = await start();
    const upgrade = (host: string, path = '/') =>
      raw(
        port,
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      );
    expect(await upgrade('evil.example')).toMatch(/^HTTP\/1.1 403[\s\S]*--allow-host/);
    expect(await upgrade('localhost', '/nowhere')).toMatch(/^HTTP\/1.1 404/);
  });
});

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
    bigCalls = 0;
    for (let id = 0; id < 120; id++) socket.send(call('big', [], id));
    let before = -1;
    // It stands still when the buffers of both ends are full.
    await vi.waitFor(() => {
      const now = bigCalls;
      const moved = now !== before;
      before = now;
      expect(moved).toBe(false);
    });
    expect(bigCalls).toBeGreaterThan(0);
    expect(bigCalls).toBeLessThan(100);
    socket.resume();
    for (let id = 0; id < 120; id++) expect(await next()).toMatchObject({ id });
    socket.terminate();
  });

  test('a handler can push to its connection and learns of its end', async () => {
    const { port } = await start();
    const { socket, next } = await open(port);
    socket.send(call('listen'));
    expect(await next()).toEqual({ hello: 1 });
    expect(await next()).toMatchObject({ result: true });
    socket.close();
    await vi.waitFor(() => expect(ended).toBe(1));
  });

  test('a push that does not fit the buffer is dropped, and the log learns of it', async () => {
    const { port } = await start({ notificationBuffer: 5 });
    const { socket, next } = await open(port);
    socket.send(call('listen'));
    expect(await next()).toMatchObject({ result: false });
    socket.terminate();
    await vi.waitFor(() => expect(dropped).toEqual([1]));
  });

  test('a message over the body limit ends the connection', async () => {
    const { port } = await start({ bodyLimit: 100 });
    const { socket } = await open(port);
    const code = new Promise((resolve) => socket.once('close', resolve));
    socket.send('x'.repeat(101));
    expect(await code).toBe(1009);
  });
});

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
    await vi.waitFor(() => expect(held).toHaveLength(2));
    const stopped = server.stop();
    for (const release of held) release('late');
    expect((await answer).json.result).toBe('late');
    expect(await pushed).toMatch('late');
    expect(await closed).toBe(1001);
    await stopped;
    await expect(post(url, call('eth_chainId'))).rejects.toThrow();
  });

  test('an answer that never comes does not hold up the stop past its grace', async () => {
    const { server, url } = await start({ stopGraceMs: 20 });
    const answer = post(url, call('hold')).catch(() => 'cut');
    await vi.waitFor(() => expect(held).toHaveLength(1));
    await server.stop();
    expect(await answer).toBe('cut');
  });
});
