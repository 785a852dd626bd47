import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { call, post as postWith, raw, start, stopServersAfterEachTest } from './start-server.ts';

stopServersAfterEachTest();

const withHost = (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

// A request with a content coding, even none, is read by Node's HTTP server and Express.
describe.each([
  ['read from the socket', {}],
  ['read by Express', { 'content-encoding': 'identity' }],
])('POST, %s', (_, lane: Record<string, string>) => {
  const post = (url: string, body: string, headers = {}) => postWith(url, body, { ...lane, ...headers });

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

  const encoded = (encoding: string, body: Uint8Array) =>
    ({ method: 'POST', headers: { 'content-encoding': encoding }, body }) as const;

  test.each([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
  ])('is read in %s', async (encoding, encode) => {
    const { url } = await start();
    const answer = await fetch(url, encoded(encoding, encode(call('eth_chainId'))));
    expect(await answer.json()).toMatchObject({ result: '0x7a69' });
  });

  test.each([
    ['zstd', Buffer.from(call('eth_chainId')), 415],
    ['gzip, br', brotliCompressSync(gzipSync(call('eth_chainId'))), 415],
    ['toString', Buffer.from(call('eth_chainId')), 415],
    ['gzip', Buffer.from(call('eth_chainId')), 400],
    ['br', brotliCompressSync(call('eth_chainId')).subarray(0, 9), 400],
  ])('that is not read is refused by name: %s', async (encoding, body, status) => {
    const { url } = await start();
    const answer = await fetch(url, encoded(encoding, body));
    expect(answer.status).toBe(status);
    const { error } = (await answer.json()) as { error: { code: number; message: string } };
    expect(error).toMatchObject({ code: -32000, message: expect.stringContaining(encoding.toLowerCase()) });
    expect(answer.headers.get('accept-encoding')).toBe(status === 415 ? 'gzip, deflate, br' : null);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('that becomes larger than the limit gets 413: %s', async (encoding, encode) => {
    const { url } = await start({ bodyLimit: 1_000 });
    const padded = (size: number) => encode(call('eth_chainId').padEnd(size));
    expect((await fetch(url, encoded(encoding, padded(1_000)))).status).toBe(200);
    const bomb = padded(100_000);
    expect(bomb.length).toBeLessThan(1_000);
    expect((await fetch(url, encoded(encoding, bomb))).status).toBe(413);
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

describe.each([
  ['read from the socket', {}],
  ['read by Express', { 'content-encoding': 'identity' }],
])('a streamed answer to a request %s', (_, lane: Record<string, string>) => {
  const post = (url: string, body: string) => postWith(url, body, lane);

  test('comes in chunks', async () => {
    const { url } = await start();
    const { response, json } = await post(url, call('stream', [false], 'x'));
    expect(response.headers.get('transfer-encoding')).toBe('chunked');
    expect(json).toMatchObject({ jsonrpc: '2.0', id: 'x' });
    expect(json.result).toHaveLength(100_000);
  });

  test('that fails halfway ends with the connection', async () => {
    const { url } = await start();
    await expect(post(url, call('stream', [true]))).rejects.toThrow();
    expect((await post(url, call('eth_chainId'))).status).toBe(200);
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
    expect(await postWith(`${url}rpc`, call('eth_chainId'))).toMatchObject({
      status: 404,
      json: { error: {} },
    });
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(405);
    const { text } = await postWith(`${url}%ff`, '');
    expect(text).not.toMatch(/<|node_modules/);
  });

  test('what Express cannot read is refused without HTML', async () => {
    const { port } = await start();
    const answer = await raw(port, 'GET http:// HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(answer).not.toMatch(/<html/);
  });

  test('a page that fails is 500, without its reason', async () => {
    const fail = () => Promise.reject(new Error('secret'));
    const { url } = await start({}, { pages: new Map([['/page', fail]]) });
    const response = await fetch(`${url}page`);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code: -32603, message: 'Internal error' } });
  });

  describe('an offer of HTTP/2, as with the first POST of Java clients', () => {
    const offer = (body: string, length = body.length) =>
      'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n' +
      `HTTP2-Settings: AAEAAEAAAAIAAAAB\r\nContent-Length: ${length}\r\n\r\n${body}`;
    const plain = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${call('eth_chainId').length}\r\n\r\n${call('eth_chainId')}`;

    test('is ignored', async () => {
      const { port } = await start();
      const answer = await raw(port, offer(call('eth_chainId')) + plain);
      expect(answer.match(/0x7a69/g)).toHaveLength(2);
    });

    test.each([0, 5])('is ignored where the body comes later, from byte %i on', async (at) => {
      const { port } = await start();
      const text = offer(call('eth_chainId')) + plain;
      const cut = text.indexOf('\r\n\r\n') + 4 + at;
      const answer = await raw(port, text.slice(0, cut), text.slice(cut));
      expect(answer.match(/0x7a69/g)).toHaveLength(2);
    });

    test('does not lift the limit on the body', async () => {
      const { port } = await start({ bodyLimit: 1000 });
      expect(await raw(port, offer(`"${'x'.repeat(1001)}"`))).toMatch(/^HTTP\/1.1 413/);
    });
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
    expect(await upgrade('localhost\r\nHost: localhost')).toMatch(/^HTTP\/1.1 400[\s\S]*one Host header/);
  });

  test.each([
    ['a call', 'POST /', `Content-Length: ${call('eth_chainId').length}\r\n`, call('eth_chainId')],
    ['a page', 'GET /', '', ''],
    ['a path', 'GET /nowhere', '', ''],
    ['a preflight', 'OPTIONS /', '', ''],
  ])('twice is 400, whatever else is in between: %s', async (_, line, headers, body) => {
    const { port } = await start({ allowHosts: ['*'] });
    for (const second of ['localhost', 'evil.example'])
      for (const between of ['', 'a:\r\n'.repeat(2_500)]) {
        const head = `${line} HTTP/1.1\r\nHost: localhost\r\n${between}host: ${second}\r\n${headers}\r\n`;
        expect(await raw(port, head + body)).toMatch(
          /^HTTP\/1.1 400[\s\S]*"expected one Host header, got several"/,
        );
      }
  });
});
