import { connect } from 'node:net';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { SystemClock } from '../../src/clock.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { boolean } from '../../src/rpc/codec/values.ts';
import { defineMethod } from '../../src/rpc/define-method.ts';
import { Dispatcher } from '../../src/rpc/dispatch.ts';
import { JsonStream } from '../../src/rpc/json-stream.ts';
import { RpcServer, type ServerDeps, type ServerOptions } from '../../src/server/server.ts';
import { fakeContext } from '../rpc/fake-chain.ts';

export const clock = new SystemClock();
const servers: RpcServer[] = [];
/** What the test methods and the server reported since the test began. */
export const seen = {
  /** lets a waiting `hold` go on */
  held: [] as ((value: string) => void)[],
  /** connections of `listen` that ended */
  ended: 0,
  /** notifications lost, by connection */
  dropped: [] as number[],
  /** runs of `big` */
  bigCalls: 0,
};
const stderr = vi.spyOn(process.stderr, 'write');

/** Registers the hooks of a test file: servers are stopped after each test, and stderr stays empty. */
export function stopServersAfterEachTest(): void {
  beforeEach(() => {
    Object.assign(seen, { held: [], ended: 0, dropped: [], bigCalls: 0 });
    stderr.mockClear();
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    expect(stderr).not.toHaveBeenCalled();
  });
}

const hold = defineMethod({
  name: 'hold',
  kind: 'read',
  params: [],
  handler: () =>
    new Promise<string>((resolve) => {
      seen.held.push(resolve);
    }),
});
export const big = defineMethod({
  name: 'big',
  kind: 'read',
  params: [],
  handler: () => {
    seen.bigCalls++;
    return 'x'.repeat(1024 * 1024);
  },
});
const boom = defineMethod({
  name: 'boom',
  kind: 'read',
  params: [],
  handler: () => {
    throw new Error('secret');
  },
});
const listen = defineMethod({
  name: 'listen',
  kind: 'read',
  params: [],
  handler: ({ connection }) => {
    connection?.onClose(() => seen.ended++);
    return connection?.notify(Buffer.from('{"hello":1}')) ?? false;
  },
});

/** Answers a long string in two pieces, with a notification between them; or fails there. */
const stream = defineMethod({
  name: 'stream',
  kind: 'read',
  params: [boolean],
  handler: ({ connection }, fails) =>
    JsonStream.open(async (sink) => {
      sink.write(`"${'x'.repeat(100_000)}`);
      await sink.room();
      connection?.notify(Buffer.from('{"hello":2}'));
      if (fails) throw new Error('secret');
      sink.write('"');
    }),
});

/** A server with every method and the five above, stopped after the test, which must leave stderr empty. */
export async function start(
  options: ServerOptions = {},
  deps: Partial<Pick<ServerDeps, 'pages' | 'explorer' | 'clock'>> = {},
) {
  const dispatcher = new Dispatcher(
    {},
    { methods: [...METHODS, hold, big, boom, listen, stream], context: fakeContext(), clock },
  );
  const server = new RpcServer(options, {
    dispatcher,
    clock,
    ...deps,
    onDropped: (messages) => seen.dropped.push(messages),
  });
  servers.push(server);
  const { port } = await server.start('127.0.0.1', 0);
  return { server, port, url: `http://127.0.0.1:${port}/` };
}

export const call = (method: string, params: unknown = [], id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export async function post(url: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'POST', body, headers });
  const text = await response.text();
  return { response, status: response.status, text, json: text === '' ? undefined : JSON.parse(text) };
}

/** One request in raw HTTP: fetch doesn't let its caller set Host. */
export function raw(port: number, request: string, rest?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(request);
      // Another call's answer comes after the server has seen what was sent before it.
      if (rest !== undefined) fetch(`http://127.0.0.1:${port}`).then(() => socket.write(rest), reject);
    });
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}
