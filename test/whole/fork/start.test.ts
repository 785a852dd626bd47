import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { createDevnet, type DevnetOptions } from '../../../src/index.ts';
import { callsOf } from '../../wire.ts';
import { chain, closeChainsAfterEachTest, original } from './chains.ts';

closeChainsAfterEachTest();

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

/** A host that answers every request alike. @returns its host and port, and how often it was asked */
async function hostOf(status: number, body: string, headers: Record<string, string> = {}) {
  const state = { asked: 0 };
  const listener: RequestListener = (request, response) => {
    state.asked++;
    request.resume();
    response.writeHead(status, headers).end(body);
  };
  return { host: `127.0.0.1:${await portOf(createHttpServer(listener))}`, state };
}

/** A host that accepts a WebSocket and answers each message alike. */
async function socketHostOf(answer: string) {
  const http = createHttpServer();
  const server = new WebSocketServer({ server: http });
  server.on('connection', (socket) => socket.on('message', () => socket.send(answer)));
  servers.push(server);
  return `127.0.0.1:${await portOf(http)}`;
}

/** A port of this machine at which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  servers.pop();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What the start says, and how many seconds it has paused between its attempts. */
async function failureOf(forkUrl: string, options: DevnetOptions = {}) {
  let paused = 0;
  const onForkWait = (line: string) => {
    paused += Number(/attempt .* in ([0-9.]+) s /.exec(line)?.[1] ?? 0);
  };
  const error: Error & { code?: number } = await createDevnet({ forkUrl, ...options }, { onForkWait }).then(
    async (node) => {
      await node.close();
      throw new Error('it started');
    },
    (reason) => reason,
  );
  return { message: error.message, code: error.code, paused };
}

const HTML = '<!DOCTYPE html><html><body>Sign in</body></html>';
const rpc = (members: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...members });
const KEY = 'check the key in the URL, or give one with --fork-header';
const URL = 'check that the URL is that of an Ethereum JSON-RPC endpoint';

/** Status, body, and what is said of them. */
const ANSWERS: readonly [number, string, string][] = [
  [401, 'no', `HTTP 401; ${KEY}`],
  [403, HTML, `HTTP 403; ${KEY}`],
  [404, HTML, 'HTTP 404; check the path of the URL, which has to lead to an Ethereum JSON-RPC endpoint'],
  [
    429,
    'slow down',
    'HTTP 429, after 6 attempts (--retries); the node takes fewer requests: wait, use a URL with a key of your own, or ask more patiently with --retries and --fork-retry-backoff',
  ],
  [200, HTML, `a web page (HTML), an answer that is not JSON; ${URL}`],
  [200, 'pong', `an answer that is not JSON-RPC; ${URL}`],
  [200, '7', `an answer that is not JSON-RPC; ${URL}`],
  [200, '{"hello":"world"}', `an answer without a result, which is not JSON-RPC; ${URL}`],
  [200, '[]', `an answer without a result, which is not JSON-RPC; ${URL}`],
  [
    200,
    rpc({ error: { code: -32601, message: 'the method\nis not there' } }),
    `it answered eth_blockNumber with error -32601, the method is not there; ${URL}`,
  ],
  [
    401,
    rpc({ error: { code: -32600, message: 'Must be authenticated!' } }),
    `HTTP 401: Must be authenticated!; ${KEY}`,
  ],
  [
    200,
    rpc({ result: 'seven' }),
    `it answered eth_blockNumber, and the answer: expected a quantity in hex, got "seven"; ${URL}`,
  ],
];

describe('a chain that is forked from a URL', () => {
  it.each(ANSWERS)(
    'with HTTP %i and %j does not start, and says why within a second of pauses',
    async (status, body, said) => {
      const { host } = await hostOf(status, body);
      const { message, code, paused } = await failureOf(`http://me:secret@${host}/v2/0123456789abcdef?key=1`);
      expect(message).toBe(`can't fork from http://${host}/v2/...: ${said}`);
      expect(code).toBe(-32000);
      expect(paused).toBeLessThan(1);
    },
  );

  it.each([200, 405])(
    'that redirects to a page (HTTP %i) does not start, and names the place',
    async (status) => {
      const page = await hostOf(status, HTML);
      const { host } = await hostOf(301, '', { location: `http://${page.host}/login?back=1` });
      const { message } = await failureOf(`http://${host}`);
      expect(message).toBe(
        `can't fork from http://${host}: it redirects to http://${page.host}/log...; ${URL}`,
      );
    },
  );

  it.each(['http', 'ws'])('at which nobody listens does not start: %s', async (scheme) => {
    const port = await freePort();
    const { message, paused } = await failureOf(`${scheme}://127.0.0.1:${port}`, { forkRetries: 9 });
    expect(message).toBe(
      `can't fork from ${scheme}://127.0.0.1:${port}: the connection was refused (ECONNREFUSED); check host and port of the URL, and that a node runs there`,
    );
    expect(paused).toBeLessThan(1);
  });

  it.each(['http', 'ws'])('whose host does not exist does not start: %s', async (scheme) => {
    const { message } = await failureOf(`${scheme}://nowhere.invalid/key`);
    expect(message).toMatch(
      /^can't fork from (http|ws):\/\/nowhere\.invalid\/key: the host can't be found.* \((ENOTFOUND|EAI_AGAIN)\); check the host's name in the URL, and this machine's network$/,
    );
  });

  it('over WebSocket is told the same', async () => {
    const { host } = await hostOf(401, 'no');
    expect((await failureOf(`ws://${host}/key-of-mine`)).message).toBe(
      `can't fork from ws://${host}/key...: HTTP 401; ${KEY}`,
    );
    for (const answer of ['pong', '{"hello":"world"}', '{"id":1}', '{"id":2}']) {
      const { message, paused } = await failureOf(`ws://${await socketHostOf(answer)}`);
      expect(message).toMatch(/: an answer that is not JSON-RPC; check that the URL/);
      expect(paused).toBeLessThan(1);
    }
    const error = rpc({ id: null, error: { code: -32600, message: 'no key' } });
    expect((await failureOf(`ws://${await socketHostOf(error)}`)).message).toMatch(
      /it answered eth_blockNumber with error -32600, no key; /,
    );
  });

  it('waits for a node that asks for patience as long as it was told to', async () => {
    const one = await original();
    let left = 3;
    const listener: RequestListener = async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (left-- > 0) return response.writeHead(429).end();
      const answer = await fetch(one.url, { method: 'POST', body: Buffer.concat(chunks) });
      return response.end(await answer.text());
    };
    const forkUrl = `http://127.0.0.1:${await portOf(createHttpServer(listener))}`;
    const lines: string[] = [];
    const node = await createDevnet(
      { forkUrl, forkRetries: 3, forkRetryBackoff: 1 },
      { onForkWait: (line) => lines.push(line) },
    );
    // On a slow machine it also tells that it waits.
    expect(lines.filter((line) => !line.startsWith('waiting for'))).toEqual([
      `${forkUrl}: HTTP 429; attempt 2 of 4 in 0.001 s (--retries)`,
      `${forkUrl}: HTTP 429; attempt 3 of 4 in 0.002 s (--retries)`,
      `${forkUrl}: HTTP 429; attempt 4 of 4 in 0.004 s (--retries)`,
    ]);
    await node.close();
  });

  it('that is silent ends with the options that would have waited longer', async () => {
    const port = await portOf(createHttpServer(() => {}));
    const { message } = await failureOf(`http://127.0.0.1:${port}`, {
      forkTimeout: 20,
      forkRetries: 1,
      forkRetryBackoff: 0,
    });
    expect(message).toBe(
      `can't fork from http://127.0.0.1:${port}: no answer within 20 ms (--timeout), after 2 attempts (--retries); check the URL and the network, or wait longer with --timeout and --retries`,
    );
  });

  it('while it runs, is not left for one that refuses: anvil_reset and anvil_setRpcUrl say why', async () => {
    const one = await original();
    const fork = await chain({ forkUrl: one.url });
    const { host } = await hostOf(401, 'no');
    const error = {
      code: -32000,
      message: `can't fork from http://${host}/v3/...: HTTP 401; ${KEY}`,
    };
    const jsonRpcUrl = `http://${host}/v3/0123456789`;
    await expect(fork.call('anvil_setRpcUrl', jsonRpcUrl)).rejects.toMatchObject(error);
    await expect(fork.call('anvil_reset', { forking: { jsonRpcUrl } })).rejects.toMatchObject(error);
    await expect(fork.call('hardhat_reset', { forking: { jsonRpcUrl } })).rejects.toMatchObject(error);
    expect(BigInt(await fork.call('eth_getBalance', one.token))).toBe(0n);
    expect((await fork.call('anvil_nodeInfo')).forkConfig.forkUrl).toBe(one.url.replace(/\/?$/, ''));
    const own = await createDevnet();
    await expect(callsOf(own)('anvil_reset', { forking: { jsonRpcUrl } })).rejects.toMatchObject(error);
    await own.close();
  });
});
