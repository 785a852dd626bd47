import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createDevnet, type Devnet } from '../../src/index.ts';

/** Reverts with Error('zu groß'), which is no ASCII, after a call that returns 4 KiB. */
const REVERTS = `0x08c379a0${'20'.padStart(64, '0')}${'08'.padStart(64, '0')}${Buffer.from('zu groß').toString('hex').padEnd(64, '0')}`;
/** Copies the call's data to memory and returns it, or reverts with it where value was sent. */
const CODE = '0x365f5f3734600b57365ff35b365ffd';
const TO = '0x00000000000000000000000000000000000000cc';
const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const PARAMS = [
  {
    blockStateCalls: [
      {
        stateOverrides: { [TO]: { code: CODE } },
        calls: [
          { from: FROM, to: TO, gas: '0xfffff', data: `0x${'ab'.repeat(4_096)}` },
          { from: FROM, to: TO, gas: '0xfffff', value: '0x1', data: REVERTS },
        ],
      },
    ],
  },
  'latest',
] as const;
const body = JSON.stringify({ jsonrpc: '2.0', id: 'groß', method: 'eth_simulateV1', params: PARAMS });

let dir: string;
let node: Devnet;
let expected: unknown;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-encoded-'));
  node = await createDevnet({ automine: true, port: 0, ipc: join(dir, 'ipc') });
  expected = await node.provider.request({ method: 'eth_simulateV1', params: PARAMS });
});
afterAll(async () => {
  await node.close();
  rmSync(dir, { recursive: true });
});

it('a long result that the core wrote is the same inside the process', () => {
  expect(expected).toMatchObject([
    { calls: [{ status: '0x1' }, { status: '0x0', error: { message: expect.stringContaining('zu groß') } }] },
  ]);
});

it('over a plain connection, with its length in bytes', async () => {
  const response = await fetch(node.url!, { method: 'POST', body });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('content-length')).toBe(`${bytes.length}`);
  expect(JSON.parse(bytes.toString())).toEqual({ jsonrpc: '2.0', id: 'groß', result: expected });
});

it("by way of Node's HTTP server", async () => {
  const stream = new Blob([body]).stream();
  // A body without a length is not for the plain path.
  const response = await fetch(node.url!, { method: 'POST', body: stream, duplex: 'half' } as RequestInit);
  expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 'groß', result: expected });
});

it('behind another request, and in a batch', async () => {
  const small = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'eth_chainId', params: [] });
  const response = await fetch(node.url!, { method: 'POST', body: `[${small},${body}]` });
  expect(await response.json()).toEqual([
    { jsonrpc: '2.0', id: 2, result: '0x7a69' },
    { jsonrpc: '2.0', id: 'groß', result: expected },
  ]);
  const { port, hostname } = new URL(node.url!);
  const socket = connect(Number(port), hostname);
  const post = (text: string) =>
    `POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  const last = post(small).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  socket.write(post(small) + post(body) + last);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'end');
  const answers = Buffer.concat(chunks)
    .toString()
    .split(/HTTP\/1.1 200 OK\r\n/)
    .slice(1)
    .map((text) => JSON.parse(text.slice(text.indexOf('\r\n\r\n'))));
  expect(answers.map(({ id }) => id)).toEqual([2, 'groß', 2]);
  expect(answers[1].result).toEqual(expected);
});

it('over a WebSocket', async () => {
  const socket = new WebSocket(node.url!.replace('http', 'ws'));
  await once(socket, 'open');
  socket.send(body);
  const [data, isBinary] = await once(socket, 'message');
  socket.close();
  expect(isBinary).toBe(false);
  expect(JSON.parse(String(data))).toEqual({ jsonrpc: '2.0', id: 'groß', result: expected });
});

it('over a Unix socket', async () => {
  const socket = connect(join(dir, 'ipc'));
  socket.write(body);
  let text = '';
  while (!text.endsWith('\n')) text += (await once(socket, 'data'))[0];
  socket.destroy();
  expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 'groß', result: expected });
});
