import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createDevnet } from '../../src/index.ts';
import type { CallReport } from '../../src/rpc/dispatch.ts';
import { listen } from '../live-node.ts';
import type { Wire } from '../wire.ts';

let node: Awaited<ReturnType<typeof createDevnet>>;
let onReport: (report: CallReport) => void = () => {};
beforeAll(async () => {
  node = await createDevnet({ port: 0, manualClock: true }, { onCall: (report) => onReport(report) });
});
afterAll(() => node.close());

const TO = `0x${'11'.repeat(20)}`;
/** Puts three words on the stack and goes round and round: JUMPDEST, PUSH1, JUMP cost 12 gas. */
const LOOP = `0x${`7f${'ff'.repeat(32)}`.repeat(3)}5b606356`;
const traceCall = (steps: number, id: unknown = 1, config = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'debug_traceCall',
  params: [
    { to: TO, gas: `0x${(21_009 + 4 * steps).toString(16)}` },
    'latest',
    { stateOverrides: { [TO]: { code: LOOP } }, ...config },
  ],
});
const post = (body: unknown, signal?: AbortSignal) =>
  fetch(node.url!, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) });
const reported = () =>
  new Promise<CallReport>((resolve) => {
    onReport = resolve;
  });

describe('struct logs', () => {
  test('are the same over HTTP, over WebSocket, in a batch and in the process', async () => {
    const request = traceCall(3_000);
    const response = await post(request);
    expect(response.headers.get('transfer-encoding')).toBe('chunked');
    const answer = (await response.json()) as Wire;
    const { result } = answer;
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: 1 });
    expect(result.structLogs).toHaveLength(3 + 3_000 + 1);
    expect(result.structLogs[3]).toMatchObject({ pc: 99, op: 'JUMPDEST', depth: 1, gasCost: 1 });
    expect(result.structLogs.at(-1)).toMatchObject({ error: 'out of gas' });
    expect(result).toMatchObject({ gas: 33_009, failed: true, returnValue: '0x' });

    expect(await node.provider.request(request)).toEqual(result);
    expect(await (await post([request])).json()).toEqual([answer]);
    const { socket, take } = await listen(node.url!.replace('http', 'ws'));
    socket.send(JSON.stringify(request));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'eth_chainId' }));
    socket.send(JSON.stringify(traceCall(3_000, 3)));
    expect((await take(3)).sort((a, b) => a.id - b.id)).toMatchObject([
      answer,
      { id: 2, result: '0x7a69' },
      { ...answer, id: 3 },
    ]);
    socket.close();
  });

  test('that are short come with their length', async () => {
    const response = await post(traceCall(3_000, 1, { limit: 2 }));
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
    expect(((await response.json()) as Wire).result.structLogs).toHaveLength(2);
  });

  test('of 300,000 steps are sent without being held', async () => {
    const before = process.memoryUsage().rss;
    const response = await post(traceCall(300_000));
    let length = 0;
    let peak = 0;
    let end = '';
    for await (const chunk of response.body!) {
      length += chunk.length;
      peak = Math.max(peak, process.memoryUsage().rss);
      end = Buffer.from(chunk).subarray(-100).toString();
    }
    expect(length).toBeGreaterThan(60e6);
    expect(end).toMatch(/\],"gas":\d+,"failed":true,"returnValue":"0x"}}$/);
    expect((peak - before) / 2 ** 20).toBeLessThan(150);
  }, 60_000);

  test('over the limit are refused in a batch and in the process', async () => {
    const request = traceCall(400_000);
    const answers = (await (await post([request])).json()) as Wire;
    expect(answers).toMatchObject([{ id: 1, error: { code: -32000 } }]);
    await expect(node.provider.request(request)).rejects.toMatchObject({ code: -32000 });
  }, 60_000);

  test.each(['HTTP', 'WebSocket'])(
    'end with the %s client that asked for them',
    async (transport) => {
      const report = reported();
      if (transport === 'HTTP') {
        const abort = new AbortController();
        const response = await post(traceCall(12_000_000), abort.signal);
        await response.body!.getReader().read();
        abort.abort();
      } else {
        const { socket } = await listen(node.url!.replace('http', 'ws'));
        socket.send(JSON.stringify(traceCall(12_000_000)));
        await new Promise<void>((resolve) => {
          // The message never ends: what is seen of it is bytes on the socket.
          (socket as Wire)._socket.once('data', () => resolve());
        });
        socket.terminate();
      }
      const { error, method } = await report;
      expect(method).toBe('debug_traceCall');
      expect(error).toMatchObject({ code: -32000 });
    },
    10_000,
  );

  test.each(['HTTP', 'WebSocket'])(
    'are cut when the %s client does not read on',
    async (transport) => {
      const slow = await createDevnet(
        { port: 0, manualClock: true, rpcTimeout: 1_000 },
        { onCall: (report) => onReport(report) },
      );
      const report = reported();
      const body = JSON.stringify(traceCall(12_000_000));
      const closed = new Promise((resolve) => {
        if (transport === 'HTTP') {
          const { port } = new URL(slow.url!);
          const socket = connect(Number(port), '127.0.0.1');
          socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
          socket.once('data', () => socket.pause());
          void report.then(() =>
            socket
              .resume()
              .on('error', () => {})
              .once('close', resolve),
          );
        } else {
          const socket = new WebSocket(slow.url!.replace('http', 'ws'));
          socket.once('open', () => {
            socket.pause();
            socket.send(body);
          });
          void report.then(() => socket.once('close', resolve).resume());
        }
      });
      expect((await report).error).toMatchObject({ kind: 'timedOut' });
      await closed;
      await slow.close();
    },
    20_000,
  );

  test('that cannot begin are an ordinary error', async () => {
    const request = traceCall(10);
    (request.params[0] as Wire).gas = '0x1';
    expect(await (await post(request)).json()).toMatchObject({ id: 1, error: { code: expect.any(Number) } });
  });
});
