import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Step } from '../../src/engine/tracers/steps.ts';
import { createDevnet } from '../../src/index.ts';
import type { CallReport } from '../../src/rpc/dispatch.ts';
import { afterResult } from '../../src/rpc/envelope.ts';
import { stepWriter, streamStructLogs } from '../../src/rpc/trace/struct-logs.ts';
import { listen } from '../live-node.ts';
import type { Wire } from '../wire.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

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
/** What is in use after a garbage collection, in bytes. */
const held = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
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
    const response = await post(traceCall(300_000));
    let length = 0;
    const samples: number[] = [];
    let end = '';
    for await (const chunk of response.body!) {
      length += chunk.length;
      end = Buffer.from(chunk).subarray(-100).toString();
      if (length > (samples.length + 1) * 10e6) samples.push(held());
    }
    expect(samples.length).toBeGreaterThan(5);
    expect(end).toMatch(/\],"gas":\d+,"failed":true,"returnValue":"0x"}}$/);
    // The first sample includes the memory of the module that watches steps: later ones are not above it.
    expect((Math.max(...samples) - samples[0]!) / 2 ** 20).toBeLessThan(10);
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
      // On a slow machine the time that the reader waits for steps may be over before the system takes no more of them: then the
      // answer ends, instead of the connection.
      const closed = new Promise((resolve) => {
        if (transport === 'HTTP') {
          const { port } = new URL(slow.url!);
          const socket = connect(Number(port), '127.0.0.1');
          socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
          socket.once('data', () => socket.pause());
          void report.then(() =>
            socket
              .on('data', (data) => data.toString().endsWith('\r\n0\r\n\r\n') && socket.destroy())
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
          void report.then(() =>
            socket
              .once('message', () => socket.close())
              .once('close', resolve)
              .resume(),
          );
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

test('struct logs that take too long are complete JSON with an error, and the connection goes on', async () => {
  const slow = await createDevnet({ port: 0, automine: true, manualClock: true, rpcTimeout: 1_000 });
  await slow.provider.request({ method: 'anvil_setCode', params: [TO, '0x5b600056'] });
  const [from] = (await slow.provider.request({ method: 'eth_accounts' })) as string[];
  const sent = { from: from!, to: TO, gas: '0xf00000' };
  const hash = await slow.provider.request({ method: 'eth_sendTransaction', params: [sent] });
  const { socket, take } = await listen(slow.url!.replace('http', 'ws'));
  for (const [method, ...params] of [
    ['debug_traceCall', { to: TO }, 'latest'],
    ['debug_traceTransaction', hash],
    ['debug_traceBlockByNumber', 'latest'],
  ]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    socket.send(body);
    const answers = [
      (await (await fetch(slow.url!, { method: 'POST', body })).json()) as Wire,
      (await take(1))[0],
    ];
    for (const { error, result } of answers) {
      expect(error).toMatchObject({ code: -32000, message: expect.stringMatching(/1000 ms/) });
      // On a slow machine the time may be over before anything is sent.
      const logs = Array.isArray(result) ? result[0].result : result;
      if (logs) expect(logs.structLogs[0]).toMatchObject({ pc: 0, op: 'JUMPDEST' });
    }
  }
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'eth_chainId' }));
  expect(await take(1)).toMatchObject([{ id: 2, result: '0x7a69' }]);
  socket.close();
  await slow.close();
}, 60_000);

describe('the limit on the size of struct logs', () => {
  const step = (pc: number, memory?: Uint8Array): Step => ({
    ...{
      pc,
      op: 'JUMPDEST',
      gas: 9n,
      gasCost: 1n,
      depth: 1,
      refund: 0n,
      refundBefore: 0n,
      stack: [BigInt(pc)],
    },
    ...(memory && { memory }),
  });

  /** The answer of a run that never ends, and of a block with one such run after a whole one. */
  const answer = async (most: number, memory: Uint8Array | undefined, inBlock: boolean) => {
    const stream = await streamStructLogs(async (out) => {
      const run = async (around: string, steps: number) => {
        const { sink, end } = stepWriter('geth', out, around);
        for (let pc = 0; pc < steps; pc++) {
          sink.write(step(pc, memory));
          await sink.pause(undefined);
        }
        await end({ gasUsed: 1n, returnData: new Uint8Array(), failure: undefined } as never);
      };
      if (!inBlock) return run('', Number.POSITIVE_INFINITY);
      out.write('[');
      out.closing = ']';
      for (const steps of [2, Number.POSITIVE_INFINITY]) {
        out.write(`${steps === 2 ? '' : ','}{"result":`);
        await run('}]', steps);
        out.write('}');
        out.closing = ']';
      }
      out.write(']');
    }, most);
    let text = '';
    for await (const piece of stream.enclose('{"result":', afterResult)) text += piece;
    await expect(stream.finished).rejects.toMatchObject({ kind: 'limitExceeded' });
    return { text, parsed: JSON.parse(text) };
  };

  test.each([
    ['of a call', undefined, false],
    ['with memory in pieces', new Uint8Array(50_000), false],
    ['of a block', undefined, true],
    ['of a block, with memory in pieces', new Uint8Array(50_000), true],
  ])('ends them with an error in complete JSON: %s', async (_, memory, inBlock) => {
    for (const most of [100_000, 300_001, 1_000_003]) {
      const { text, parsed } = await answer(most, memory, inBlock);
      expect(parsed.error).toEqual({
        code: -32000,
        message: `the size of the struct logs in bytes is over the limit of ${most}`,
      });
      expect(text.length).toBeLessThan(most + 300_000);
      const { structLogs: steps } = inBlock ? parsed.result.at(-1).result : parsed.result;
      expect(steps.map(({ pc }: Wire) => pc)).toEqual([...steps.keys()]);
    }
  });
});
