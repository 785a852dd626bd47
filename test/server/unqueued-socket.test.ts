import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { UnqueuedSocket } from '../../src/server/unqueued-socket.ts';
import { eventually } from '../eventually.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection by TCP: the client's end, and the server's. */
async function connection(): Promise<{ client: Socket; socket: Socket }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  server.close();
  sockets.push(client, socket);
  client.on('error', () => {});
  socket.on('error', () => {});
  return { client, socket };
}

/** All that one end gets until the other ends. */
async function all(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).resume();
  await once(socket, 'end');
  return Buffer.concat(chunks).toString();
}

test('what arrives is reported without the readable side, and its end by it', async () => {
  const { client, socket } = await connection();
  let got = '';
  new UnqueuedSocket(socket, {
    onChunk: (chunk) => {
      got += chunk;
      expect(socket.readableLength).toBe(0);
      if (got === 'one') client.end('two');
    },
    onRoom: () => {},
  });
  client.write('one');
  await once(socket, 'end');
  expect(got).toBe('onetwo');
});

test('once it is queued, others read the socket on, and it can be paused', async () => {
  const { client, socket } = await connection();
  const chunks: string[] = [];
  let pause = () => {};
  const paused = new Promise<void>((resolve) => (pause = resolve));
  const onChunk = (chunk: Buffer) => {
    chunks.push(String(chunk));
    socket.off('data', onChunk);
    unqueued.queue();
    socket.pause();
    socket.unshift(chunk);
    client.write('2'.repeat(300_000));
    client.end();
    pause();
  };
  const unqueued = new UnqueuedSocket(socket, { onChunk, onRoom: () => {} });
  client.write('1');
  await paused;
  // What has arrived stays in the queue.
  await eventually(() => expect(socket.readableLength).toBeGreaterThan(1));
  expect(socket.isPaused()).toBe(true);
  expect(await all(socket)).toBe(`1${'2'.repeat(300_000)}`);
  expect(chunks).toEqual(['1']);
});

/** Holds up the news that the system has taken what was written: how much it takes at once differs between systems. */
function holdingWrites(socket: Socket): { release: () => void } {
  const write = socket._write.bind(socket);
  let held: (() => void)[] | undefined = [];
  socket._write = (chunk, encoding, done) =>
    write(chunk, encoding, (error) => (held ? held.push(() => done(error)) : done(error)));
  return {
    release: () => {
      const waiting = held ?? [];
      held = undefined;
      for (const done of waiting) done();
    },
  };
}

test('texts arrive in the order of the writes, whichever way they go', async () => {
  const { client, socket } = await connection();
  const { release } = holdingWrites(socket);
  let rooms = 0;
  const unqueued = new UnqueuedSocket(socket, { onChunk: () => {}, onRoom: () => rooms++ });
  let sent = '';
  const add = (text: string) => {
    sent += text;
    return text;
  };
  for (let i = 0; i < 200; i++) {
    unqueued.write(add(`${i}é`), 'utf8');
    if (i % 3 === 0) unqueued.write(add('a'.repeat(10_000)), 'latin1');
    if (i % 5 === 0) socket.write(add('b'.repeat(5_000)));
  }
  expect(unqueued.isFull).toBe(true);
  expect(rooms).toBe(0);
  const received = all(client);
  // The system has taken the first text by now, and says so.
  await new Promise((resolve) => setImmediate(resolve));
  release();
  socket.end();
  expect(await received).toBe(sent);
  expect(unqueued.isFull).toBe(false);
  expect(rooms).toBe(1);
});

test('a text that the system does not take at once is full until it has', async () => {
  const { client, socket } = await connection();
  const room = new Promise<void>((onRoom) => {
    const unqueued = new UnqueuedSocket(socket, { onChunk: () => {}, onRoom });
    unqueued.write('short', 'latin1');
    expect(unqueued.isFull).toBe(false);
    const { release } = holdingWrites(socket);
    unqueued.write('long', 'latin1');
    expect(unqueued.isFull).toBe(true);
    client.once('data', release);
  });
  await room;
});

test('a write that fails destroys the socket', async () => {
  const { client, socket } = await connection();
  const unqueued = new UnqueuedSocket(socket, { onChunk: () => {}, onRoom: () => {} });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  client.resetAndDestroy();
  const write = setInterval(() => unqueued.write('a', 'latin1'), 1);
  await closed;
  clearInterval(write);
  expect(socket.destroyed).toBe(true);
  unqueued.write('nothing happens', 'latin1');
});
