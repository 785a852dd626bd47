import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { eventually } from '../eventually.ts';
import { call, start, stopServersAfterEachTest } from './start-server.ts';

stopServersAfterEachTest();

/** Milliseconds in which Node alone ends a head that trickles in, at most, where a byte comes every four seconds. */
const NODE_MS = 96_000;
const STEP_MS = 4_000;
const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Sends a body, so many bytes every 4 s. @returns the answer, and the milliseconds until it came or the body was whole */
async function send(body: string, { bytes, header }: { bytes: number; header: string }) {
  const clock = new ManualClock(0);
  const { port } = await start({ bodyLimit: 2_000_000 }, { clock });
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  let hasEnded = false;
  socket.on('data', (chunk) => {
    answer = `${answer}${chunk}`.replace(INTERIM, '');
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    hasEnded = true;
  });
  await once(socket, 'connect');
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${header}Content-Length: ${body.length}\r\n\r\n`);
  let ms = 0;
  for (let at = 0; at < body.length && answer === '' && !hasEnded; at += bytes) {
    socket.write(body.slice(at, at + bytes));
    // The server has the bytes, or the client has the answer, when they have gone round.
    await fetch(`http://127.0.0.1:${port}`);
    await clock.advance(STEP_MS);
    ms += STEP_MS;
    for (let i = 0; i < 20; i++) await setImmediate();
    await fetch(`http://127.0.0.1:${port}`);
  }
  await eventually(() => expect(answer !== '' || hasEnded).toBe(true));
  socket.destroy();
  return { answer, ms };
}

describe.each([
  ['that Node reads from the beginning', 'Expect: 100-continue\r\n'],
  ['that the fast path has had first', 'Content-Type: application/json\r\n'],
])('a body %s', (_, header) => {
  test('of which a byte comes every 4 s is ended in the time in which Node ends such a head', async () => {
    const { answer, ms } = await send(call('boom').padEnd(2_000), { bytes: 1, header });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(ms).toBeLessThanOrEqual(NODE_MS);
  });

  test('that goes on at a usable rate is taken whole, however long it takes', async () => {
    const { answer, ms } = await send(call('listen').padEnd(1_000_000), { bytes: 10_000, header });
    expect(answer).toContain('200 OK');
    expect(ms).toBeGreaterThan(300_000);
  });
});
