import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { DevnetError } from '../../src/errors.ts';
import { optional } from '../../src/rpc/codec/codec.ts';
import { quantity } from '../../src/rpc/codec/values.ts';
import { defineMethod } from '../../src/rpc/define-method.ts';
import { Dispatcher } from '../../src/rpc/dispatch.ts';
import { JsonStream } from '../../src/rpc/json-stream.ts';
import { FastPath } from '../../src/server/fast-path.ts';
import { createHttpHandler } from '../../src/server/http.ts';
import { runs } from '../fuzz.ts';
import { fakeContext } from '../rpc/fake-chain.ts';
import { clock } from './start-server.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
let release: (answer: string) => void;
/** the answer of the method `held` */
let held: Promise<string>;
const hold = () => {
  held = new Promise((resolve) => {
    release = resolve;
  });
};

const methods = [
  defineMethod({ name: 'now', kind: 'read', params: [optional(quantity)], handler: (_, n) => `${n ?? 'é'}` }),
  defineMethod({
    name: 'later',
    kind: 'read',
    params: [],
    handler: async () => {
      for (let i = 0; i < 3; i++) await turn();
      return 'late';
    },
  }),
  defineMethod({
    name: 'refuses',
    kind: 'read',
    params: [],
    handler: () => {
      throw new DevnetError('reverted', { reason: 'no' });
    },
  }),
  defineMethod({ name: 'held', kind: 'read', params: [], handler: () => held }),
  defineMethod({ name: 'middling', kind: 'read', params: [], handler: () => 'a'.repeat(100_000) }),
  // Some piece of it would end between the halves of a character.
  defineMethod({ name: 'wide', kind: 'read', handler: () => `é${'😀'.repeat(400_000)}x${'😀'.repeat(9)}` }),
  defineMethod({
    name: 'long',
    kind: 'read',
    params: [],
    handler: () =>
      JsonStream.open(async (sink) => {
        sink.write(`"${'ü'.repeat(70_000)}`);
        await sink.room();
        sink.write('"');
      }),
  }),
];

const options = { bodyLimit: 1_000, allowedHosts: new Set(['devnet.test']), allowOrigin: '*' } as const;
const keepAliveMs = 75_000;
const dispatcher = new Dispatcher({}, { methods, context: fakeContext(), clock });
const { classes, listener } = createHttpHandler(options, {
  dispatcher,
  isStopping: () => false,
  pages: new Map(),
});
const node = createServer({ keepAliveTimeout: keepAliveMs, ...classes }, listener);
let handedOver = 0;
const fastPath = new FastPath(
  { ...options, keepAliveMs },
  {
    dispatcher,
    clock,
    handOver: (socket) => {
      handedOver++;
      node.emit('connection', socket);
    },
  },
);
// It is loaded with the first request, which here is to be answered within a few turns.
beforeAll(() => import('express'));
afterAll(() => {
  fastPath.stop();
  node.close();
});

/** The server's end of a connection, without a network: what arrives in one piece is read in one piece. */
class PipeEnd extends Duplex {
  readonly sent: Buffer[] = [];
  /** set while the client doesn't read */
  unread: (() => void)[] | undefined;

  constructor() {
    // As those of a socket.
    super({ allowHalfOpen: true, decodeStrings: false });
  }

  override _read(): void {}

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.sent.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    if (this.unread) this.unread.push(done);
    else done();
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }

  setTimeout(): this {
    return this;
  }

  /** What a client sees: the answers with their dates left out, and what became of the connection. */
  async outcome() {
    let length = -1;
    for (let quiet = 0; quiet < 12; quiet++) {
      await turn();
      if (this.sent.length !== length) quiet = 0;
      length = this.sent.length;
    }
    const text = Buffer.concat(this.sent).toString('latin1');
    return { text: text.replace(/Date: [^\r]*/g, 'Date'), isEnded: this.writableEnded || this.destroyed };
  }
}

/** Sends pieces over one connection, and perhaps its end. */
async function talk(accept: (socket: Socket) => void, pieces: readonly Buffer[], ends: boolean) {
  const pipe = new PipeEnd();
  accept(pipe as unknown as Socket);
  for (const piece of pieces) {
    if (pipe.destroyed) break;
    pipe.push(piece);
    await turn();
  }
  const outcome = await pipe.outcome();
  // Only now: Node loses an answer that is not made yet when the client ends the connection.
  if (ends && !pipe.destroyed) pipe.push(null);
  const end = await pipe.outcome();
  pipe.destroy();
  return { outcome, end };
}

/** Whether a text (Latin-1) consists of whole answers. */
function isAnswers(text: string): boolean {
  const head = /^HTTP\/1\.1 \d{3} [\s\S]*?\r\n\r\n/.exec(text)?.[0];
  if (!head) return text === '';
  const length = /content-length: (\d+)/i.exec(head)?.[1] ?? (/chunked/.test(head) ? '0\r\n\r\n'.length : 0);
  const end = head.length + Number(length);
  return text.length >= end && isAnswers(text.slice(end));
}

function refusalIn(text: string): [refusal: string | undefined, at: number] {
  const match = /HTTP\/1\.1 4\d\d [^\r]*\r\nConnection: close\r\n\r\n$/.exec(text);
  return [match?.[0], match?.index ?? -1];
}

async function sameByBoth(pieces: readonly Buffer[], ends = false) {
  const fast = await talk((socket) => fastPath.accept(socket), pieces, ends);
  const slow = await talk((socket) => node.emit('connection', socket), pieces, ends);
  const [refusal, at] = refusalIn(slow.end.text);
  if (refusal && slow.end.text !== fast.end.text) {
    // Node refuses a malformed request as soon as it reads it, in place of the answers that aren't made by then. If
    // the head of one is sent, it only closes the connection.
    expect(fast.end.text.slice(0, at) + refusal).toBe(slow.end.text);
    const rest = fast.end.text.slice(at);
    expect(rest.endsWith(refusal) ? rest.slice(0, -refusal.length) : rest).toSatisfy(isAnswers);
    expect([fast.outcome.isEnded, fast.end.isEnded]).toEqual([slow.outcome.isEnded, slow.end.isEnded]);
  } else expect(fast).toEqual(slow);
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, i) => bytes.subarray(from, sorted[i])).filter((piece) => piece.length > 0);
}

const body = (method: string, id: unknown = 1) => JSON.stringify({ jsonrpc: '2.0', id, method });
const NOTE = JSON.stringify({ jsonrpc: '2.0', method: 'now' });
const post = (text: string, headers = 'Host: localhost:8545\r\nContent-Type: application/json\r\n') =>
  `POST / HTTP/1.1\r\n${headers}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
const NOW = body('now');

const PLAIN: Record<string, string> = {
  'a call': post(NOW),
  'a call that takes turns': post(body('later')),
  'a refused call': post(body('refuses')),
  'an unknown method': post(body('nope')),
  'a notification': post(NOTE),
  'a batch': post(`[${NOW},${body('later', 'ü')},${NOTE}]`),
  'a long answer': post(body('long')),
  'an answer of 100 kB': post(body('middling')),
  'an answer of 1.6 MB': post(body('wide')),
  'no body': post(''),
  'bad JSON': post('{'),
  'text that is not ASCII': post(body('now', 'é€😀')),
  'bytes that are no UTF-8': post('\xff\xfe{}'),
  'an allowed name': post(NOW, 'host:devnet.test\r\n'),
  'an address of IPv6': post(NOW, 'HOST: [::1]:8545\r\n'),
  'keep-alive said': post(NOW, 'Host: localhost\r\nConnection: Keep-Alive\r\n'),
  'the last one': post(NOW, 'Host: localhost\r\nConnection: close\r\n'),
  'a header twice': post(NOW, 'Host: localhost\r\nAccept: a\r\nAccept: b\r\n'),
  'an empty header': post(NOW, 'Host: localhost\r\nAccept:\r\nX-A: \r\n'),
};

const OTHER: Record<string, string> = {
  'a page': 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'a preflight': 'OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'another path': post(NOW).replace('POST / ', 'POST /x '),
  'an absolute target': post(NOW).replace('POST / ', 'POST http://localhost/ '),
  'a query': post(NOW).replace('POST / ', 'POST /?a '),
  'HTTP/1.0': post(NOW).replace('1.1', '1.0'),
  'HTTP/1.0 kept alive': post(NOW, 'Connection: keep-alive\r\n').replace('1.1', '1.0'),
  'HTTP/2': post(NOW).replace('1.1', '2.0'),
  'a method in lower case': post(NOW).replace('POST', 'post'),
  'two spaces': post(NOW).replace('POST /', 'POST  /'),
  'an empty line before': `\r\n${post(NOW)}`,
  'no Host': post(NOW, ''),
  'two Hosts': post(NOW, 'Host: localhost\r\nHost: localhost\r\n'),
  'two Hosts that differ': post(NOW, 'Host: localhost\r\nhOST: example.org\r\n'),
  'a second Host far below': post(NOW, `Host: localhost\r\n${'a:\r\n'.repeat(2_500)}Host: example.org\r\n`),
  'two Hosts of a page': 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n',
  'two Hosts in HTTP/1.0': post(NOW, 'Host: localhost\r\nHost: localhost\r\n').replace('1.1', '1.0'),
  'a foreign Host': post(NOW, 'Host: example.org\r\n'),
  'two lengths': post(NOW, 'Host: localhost\r\nContent-Length: 5\r\n'),
  'the same length twice': post(NOW, `Host: localhost\r\nContent-Length: ${NOW.length}\r\n`),
  'a list of lengths': post(NOW).replace(/(Length: )(\d+)/, '$1$2, $2'),
  'a length with a sign': post(NOW).replace('Length: ', 'Length: +'),
  'a length with zeros before': post(NOW).replace('Length: ', 'Length: 00'),
  'a length in hex': post(NOW).replace('Length: ', 'Length: 0x'),
  'a negative length': post(NOW).replace('Length: ', 'Length: -'),
  'a length with a space inside': post(NOW).replace(/Length: (\d)/, 'Length: $1 '),
  'a length of 30 digits': post(NOW).replace('Length: ', `Length: ${'9'.repeat(28)}`),
  'no length': post(NOW).replace(/Content-Length: \d+\r\n/, ''),
  'a body over the limit': post('x'.repeat(1_001)),
  'length and chunked': post(`4\r\nnull\r\n0\r\n\r\n`, 'Host: localhost\r\nTransfer-Encoding: chunked\r\n'),
  chunked: `POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${NOW.length.toString(16)}\r\n${NOW}\r\n0\r\n\r\n`,
  'chunked with a trailer':
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTrailer: A\r\n\r\n4\r\nnull\r\n0\r\nA: b\r\n\r\n',
  'chunked in other words': post(NOW, 'Host: localhost\r\nTransfer-Encoding: xchunked\r\n'),
  'chunked with a vertical tab': post(NOW, 'Host: localhost\r\nTransfer-Encoding: \vchunked\r\n'),
  'bare line feeds': post(NOW).replaceAll('\r\n', '\n'),
  'a bare line feed after a header': post(NOW).replace('json\r\n', 'json\n'),
  'a bare line feed in the empty line': post(NOW).replace('\r\n\r\n', '\r\n\n'),
  'a bare carriage return': post(NOW, 'Host: localhost\r\nX-A: a\rb\r\n'),
  'a folded header': post(NOW, 'Host: localhost\r\nX-A: a\r\n b\r\n'),
  'a folded length': post(NOW).replace('Length: ', 'Length:\r\n '),
  'a space before the colon': post(NOW).replace('Length:', 'Length :'),
  'a tab before the colon': post(NOW, 'Host: localhost\r\nContent-Type\t: a\r\n'),
  'a space before the first header': post(NOW, ' Host: localhost\r\n'),
  'no name': post(NOW, 'Host: localhost\r\n: a\r\n'),
  'no colon': post(NOW, 'Host: localhost\r\nnonsense\r\n'),
  'a tab after a value': post(NOW).replace(/(Length: \d+)/, '$1\t'),
  'a space after a value': post(NOW, 'Host: localhost \r\n'),
  'a tab before a value': post(NOW, 'Host:\tlocalhost\r\n'),
  'a name with a NUL': post(NOW, 'Host: localhost\r\nContent\0Length: 3\r\n'),
  'a NUL in a value': post(NOW, 'Host: localhost\r\nX-A: a\0b\r\n'),
  'Latin-1 in a value': post(NOW, 'Host: localhost\r\nX-A: \xe9\r\n'),
  'an expectation': post(NOW, 'Host: localhost\r\nExpect: 100-continue\r\n'),
  'a content coding': post(NOW, 'Host: localhost\r\nContent-Encoding: zstd\r\n'),
  'another connection option': post(NOW, 'Host: localhost\r\nConnection: keep-alive, X-A\r\n'),
  'two connection headers': post(NOW, 'Host: localhost\r\nConnection: keep-alive\r\nConnection: close\r\n'),
  'a connection header for proxies': post(NOW, 'Host: localhost\r\nProxy-Connection: close\r\n'),
  'a head of 9 KiB': post(NOW, `Host: localhost\r\nX-A: ${'a'.repeat(9 * 1024)}\r\n`),
  'a head of 17 KiB': post(NOW, `Host: localhost\r\nX-A: ${'a'.repeat(17 * 1024)}\r\n`),
  'a head of 3,000 headers': post(NOW, `Host: localhost\r\n${'a:\r\n'.repeat(3_000)}`),
  'a call behind the last one': post(NOW, 'Host: localhost\r\nConnection: close\r\n') + post(NOW),
  nonsense: 'nonsense\r\n\r\n',
  TLS: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
};

const bytesOf = (text: string) => Buffer.from(text, 'latin1');
/** Bodies are UTF-8, heads may hold any byte. */
const CASES = Object.entries({ ...PLAIN, ...OTHER }).map(([name, text]) => {
  const at = text.indexOf('\r\n\r\n') + 4;
  return [name, Buffer.concat([bytesOf(text.slice(0, at)), Buffer.from(text.slice(at))])] as const;
});

const LATER = bytesOf(post(body('later')));
/** The requests whose answers take turns of the event loop, and those that end a connection whose next bytes Node may see. */
const LAST = new Set([
  'a call that takes turns',
  'a batch',
  'a long answer',
  'an answer of 1.6 MB',
  'the last one',
]);

describe('is answered as by Node, and keeps or ends the connection as there', () => {
  test.each(CASES)('%s', async (name, bytes) => {
    const before = handedOver;
    await sameByBoth([bytes]);
    expect(handedOver - before).toBe(name in PLAIN ? 0 : 1);
    await sameByBoth([bytes], true);
    await sameByBoth([Buffer.concat([bytes, bytesOf(post(NOW))])]);
    await sameByBoth([Buffer.concat([LATER, bytes])]);
  });

  test('a request cut at every byte', async () => {
    const bytes = bytesOf(post(body('now', 7)));
    for (let place = 1; place < bytes.length; place++) await sameByBoth(cut(bytes, [place]));
  });

  test('a request that ends at any byte', async () => {
    const bytes = bytesOf(post(NOW));
    for (let length = 0; length < bytes.length; length++)
      await sameByBoth(cut(bytes.subarray(0, length), []), true);
  });
});

function accepted(): PipeEnd {
  const pipe = new PipeEnd();
  fastPath.accept(pipe as unknown as Socket);
  return pipe;
}

async function answerTwoInOneTurn(): Promise<void> {
  const pipes = [accepted(), accepted()];
  for (const pipe of pipes) pipe.push(bytesOf(post(NOW)));
  await turn();
  await turn();
  for (const pipe of pipes) pipe.destroy();
}

test('an answer is written at once until several connections have answers in one turn of the loop', async () => {
  const pipe = accepted();
  const isWrittenAtOnce = () => {
    const before = pipe.sent.length;
    // The bytes are read, and answered, within this call.
    pipe.emit('data', bytesOf(post(NOW)));
    return pipe.sent.length > before;
  };
  expect(isWrittenAtOnce()).toBe(true);
  await turn();
  await answerTwoInOneTurn();
  expect(isWrittenAtOnce()).toBe(false);
  await turn();
  expect(pipe.sent).toHaveLength(2);
  expect(isWrittenAtOnce()).toBe(true);
  pipe.destroy();
});

describe('what arrives when an answer is known and not written yet', () => {
  const next: Record<string, Buffer | null> = {
    "a request for Node's HTTP server": bytesOf(OTHER['a page']!),
    'another call': bytesOf(post(NOW)),
    'the end of the connection': null,
  };
  test.each(Object.entries(next))('%s comes after the answer, and once', async (_, piece) => {
    hold();
    const before = handedOver;
    const pipe = accepted();
    pipe.push(bytesOf(post(body('held'))));
    await answerTwoInOneTurn();
    release('known');
    for (let i = 0; i < 20; i++) await undefined;
    expect(pipe.sent).toEqual([]);
    pipe.push(piece);
    const { text, isEnded } = await pipe.outcome();
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(
      piece ? ['HTTP/1.1 200', 'HTTP/1.1 200'] : ['HTTP/1.1 200'],
    );
    expect(text.indexOf('known')).toBeGreaterThan(0);
    expect(handedOver - before).toBe(piece === next["a request for Node's HTTP server"] ? 1 : 0);
    expect(isEnded).toBe(piece === null);
    expect(pipe.errored).toBeNull();
    pipe.destroy();
  });
});

type Conversation = { first: Buffer[]; last: Buffer; places: number[]; ends: boolean };

test('requests of all kinds, one after the other, cut anywhere', async () => {
  const quick = CASES.filter(([name]) => !LAST.has(name)).map(([, bytes]) => bytes);
  const conversation = fc.record({
    first: fc.array(fc.constantFrom(...quick), { maxLength: 5 }),
    last: fc.constantFrom(...CASES.map(([, bytes]) => bytes)),
    places: fc.array(fc.nat(20_000), { maxLength: 5 }),
    ends: fc.boolean(),
  });
  const compare = async ({ first, last, places, ends }: Conversation) => {
    await sameByBoth(cut(Buffer.concat([...first, last]), places), ends);
  };
  await fc.assert(fc.asyncProperty(conversation, compare), { numRuns: runs(150) });
});

test('a plain request with any byte changed, removed or put in', async () => {
  const change = fc.record({
    case: fc.constantFrom(...CASES.filter(([name]) => name in PLAIN).map(([, bytes]) => bytes)),
    at: fc.nat(300),
    removed: fc.nat(2),
    added: fc.oneof(
      fc.constantFrom('\r', '\n', '\r\n', ' ', '\t', ':', '\0', ',', '\r\n\r\n', ' chunked', 'é'),
      fc.string({ maxLength: 3 }),
    ),
  });
  const compare = async ({
    case: bytes,
    at,
    removed,
    added,
  }: {
    case: Buffer;
    at: number;
    removed: number;
    added: string;
  }) => {
    const from = at % bytes.length;
    const changed = [bytes.subarray(0, from), Buffer.from(added), bytes.subarray(from + removed)];
    await sameByBoth([Buffer.concat([...changed, bytesOf(post(NOW))])]);
  };
  await fc.assert(fc.asyncProperty(change, compare), { numRuns: runs(300) });
});

describe('a connection', () => {
  function connect() {
    const time = new ManualClock();
    const handed: Socket[] = [];
    const path = new FastPath(
      { ...options, keepAliveMs },
      { dispatcher, clock: time, handOver: (socket) => handed.push(socket) },
    );
    const pipe = new PipeEnd();
    path.accept(pipe as unknown as Socket);
    return { time, handed, path, pipe };
  }

  test('that sends nothing, or a part of a request, is left to the time limits of Node', async () => {
    for (const part of ['', 'POST / HT', post(NOW).slice(0, -3)]) {
      const { time, handed, path, pipe } = connect();
      if (part !== '') pipe.push(bytesOf(part));
      await turn();
      await time.advance(20_000);
      expect(handed).toEqual([pipe]);
      expect(String(pipe.read() ?? '')).toBe(part);
      path.stop();
    }
  });

  test.each([
    ['head', `POST / HTTP/1.1\r\nHost: localhost\r\nX-A: `],
    ['body', post('x'.repeat(900)).slice(0, -900)],
  ])('whose %s trickles in is left to them too, with all that arrived', async (_, start) => {
    for (const before of ['', post(NOW)]) {
      const { time, handed, path, pipe } = connect();
      pipe.push(bytesOf(before + start));
      let sent = start;
      for (let seconds = 0; seconds < 20; seconds += 4) {
        await turn();
        await time.advance(4_000);
        if (handed.length > 0) break;
        pipe.push(bytesOf('x'));
        sent += 'x';
      }
      expect(handed).toEqual([pipe]);
      expect(String(pipe.read())).toBe(sent);
      path.stop();
    }
  });

  test('that waited for a long answer is kept for the keep-alive time after it', async () => {
    hold();
    const { time, handed, path, pipe } = connect();
    pipe.push(post(body('held')));
    await time.advance(10 * keepAliveMs);
    release('known');
    expect((await pipe.outcome()).text).toContain('known');
    await time.advance(keepAliveMs * 0.9);
    expect([pipe.destroyed, handed.length]).toEqual([false, 0]);
    path.stop();
  });

  test('that is idle after an answer is closed after the keep-alive time, and not before', async () => {
    const { time, handed, path, pipe } = connect();
    pipe.push(post(NOW));
    expect((await pipe.outcome()).text).toContain('200 OK');
    await time.advance(keepAliveMs);
    expect(pipe.destroyed).toBe(false);
    await time.advance(keepAliveMs / 5);
    expect([pipe.destroyed, handed.length]).toEqual([true, 0]);
    path.stop();
  });

  test('whose client does not read gets no further request started', async () => {
    const { path, pipe } = connect();
    pipe.unread = [];
    for (let i = 0; i < 100; i++) pipe.push(post(NOW));
    for (let i = 0; i < 50; i++) pipe.push(post(body('long')));
    const before = (await pipe.outcome()).text.length;
    expect(pipe.isPaused()).toBe(true);
    expect(pipe.writableLength).toBeLessThan(1_000_000);
    const { unread } = pipe;
    pipe.unread = undefined;
    for (const done of unread) done();
    const { text } = await pipe.outcome();
    expect(text.length).toBeGreaterThan(before);
    expect(text.match(/Transfer-Encoding: chunked/g)).toHaveLength(50);
    path.stop();
  });

  test('is closed by a stop when its requests are answered', async () => {
    const { path, pipe } = connect();
    pipe.push(Buffer.concat([LATER, LATER]));
    await turn();
    path.stop();
    expect(pipe.destroyed).toBe(false);
    const { text } = await pipe.outcome();
    expect(text.match(/"late"/g)).toHaveLength(2);
    expect(text.match(/Connection: .*/g)).toEqual(['Connection: keep-alive', 'Connection: close']);
    expect(pipe.destroyed).toBe(true);
  });
});
