import { afterEach, describe, expect, test } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts';
import { raw } from './start-server.ts';

const open: Devnet[] = [];
afterEach(async () => {
  for (const node of open.splice(0)) await node.close();
});

/** The status lines of requests for each WebSocket of a node, which are to be the same. @param origin absent: no such header */
async function upgradeAt(options: DevnetOptions, origin?: string | ((port: number) => string), host = '') {
  const node = await createDevnet({ manualClock: true, port: 0, allowHost: ['devnet.test'], ...options });
  open.push(node);
  const port = Number(new URL(node.url!).port);
  const from = typeof origin === 'function' ? origin(port) : origin;
  const answers = await Promise.all(
    ['/', '/explorer/rpc', '/flashblocks', '/flashblocks?backfill=1'].map((path) =>
      raw(
        port,
        `GET ${path} HTTP/1.1\r\nHost: ${host || `127.0.0.1:${port}`}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `${from === undefined ? '' : `Origin: ${from}\r\n`}` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n' +
          // a close frame
          '\x88\x80\x00\x00\x00\x00',
      ),
    ),
  );
  const statuses = new Set(answers.map((answer) => answer.slice('HTTP/1.1 '.length, 12)));
  expect(statuses.size).toBe(1);
  return { status: Number([...statuses][0]), answer: answers[0]! };
}

const APP = 'http://localhost:5100';

describe('a WebSocket is opened', () => {
  test.each<[string, DevnetOptions, (string | ((port: number) => string))?, string?]>([
    ['by a page of any origin, by default', {}, 'https://evil.example'],
    ['by a page without an origin, by default', {}, 'null'],
    ['by a program, which sends no origin', { noCors: true }],
    ['by a program, though an origin is named', { allowOrigin: APP }],
    ['by the origin that is named', { allowOrigin: APP }, APP],
    ["by the node's own page", { noCors: true }, (port) => `http://127.0.0.1:${port}`],
    [
      "by the node's own page, though an origin is named",
      { allowOrigin: APP },
      (port) => `http://127.0.0.1:${port}`,
    ],
    [
      "by the node's own page behind a proxy with TLS",
      { noCors: true },
      'https://devnet.test',
      'devnet.test',
    ],
    ["by the node's own page at the default port", { noCors: true }, 'http://devnet.test', 'DEVNET.test:80'],
  ])('%s', async (_, options, origin, host) => {
    expect((await upgradeAt(options, origin, host)).status).toBe(101);
  });
});

describe('a WebSocket is refused with 403', () => {
  test.each<[string, DevnetOptions, string | ((port: number) => string), string?]>([
    ['to a foreign page', { noCors: true }, 'https://evil.example'],
    ['to a foreign page, where an origin is named', { allowOrigin: APP }, 'https://evil.example'],
    [
      'to a page of another port',
      { noCors: true },
      (port) => `http://127.0.0.1:${port === 1_025 ? 1_026 : 1_025}`,
    ],
    ['to a page of the same port by another name', { noCors: true }, (port) => `http://localhost:${port}`],
    ['to a page whose origin only begins like the named one', { allowOrigin: APP }, `${APP}0`],
    ['to a page of the named host with TLS', { allowOrigin: APP }, 'https://localhost:5100'],
    ['to a page without an origin', { noCors: true }, 'null'],
    ['to an extension', { noCors: true }, (port) => `chrome-extension://127.0.0.1:${port}`],
    ['to two origins', { allowOrigin: APP }, `${APP}\r\nOrigin: ${APP}`],
    ['to an empty origin', { noCors: true }, ''],
  ])('%s', async (_, options, origin, host) => {
    const { status, answer } = await upgradeAt(options, origin, host);
    expect(status).toBe(403);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!).error.message).toMatch(/--allow-origin/);
  });
});
