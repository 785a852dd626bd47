import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type Clock, SystemClock } from '../../src/clock.ts';
import { Endpoint } from '../../src/remote/endpoint.ts';
import { readQuantity } from '../../src/remote/wire.ts';

let server: Server;
afterEach(() => server.close());

/** An endpoint whose node answers as told, on a clock that waits for nothing and says for how long it would have. */
async function endpointOf(answers: (number | object)[], retries = 5) {
  let asked = 0;
  server = createServer((request, response) => {
    request.resume();
    const answer = answers[Math.min(asked++, answers.length - 1)]!;
    if (typeof answer === 'number') response.writeHead(answer).end();
    else response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const waits: number[] = [];
  const system = new SystemClock();
  const timeout = 60_000;
  const clock: Clock = {
    now: () => system.now(),
    precise: () => system.precise(),
    every: (...task) => system.every(...task),
    after: (ms, task) => {
      if (ms === timeout) return system.after(ms, task);
      waits.push(ms);
      return system.after(0, task);
    },
  };
  const options = { url: `http://127.0.0.1:${port}`, headers: {}, timeout, retries, backoff: 1000 };
  return { endpoint: new Endpoint(options, { clock }), waits, asked: () => asked };
}

const result = { jsonrpc: '2.0', id: 1, result: '0x7' };

it('waits twice as long before each attempt, up to half a minute', async () => {
  const { endpoint, waits } = await endpointOf([500, 500, 500, 429, 500, 500, 500, result], 9);
  expect(await endpoint.request('eth_chainId')).toBe('0x7');
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

it('gives up after the attempts that it was given', async () => {
  const { endpoint, asked } = await endpointOf([500], 2);
  await expect(endpoint.request('eth_chainId')).rejects.toMatchObject({ code: -32000, kind: 'remoteFailed' });
  expect(asked()).toBe(3);
});

it('hands on an error of the node with its code and data, whatever the HTTP status', async () => {
  const error = { code: 3, message: 'execution reverted', data: '0x08' };
  const { endpoint, asked } = await endpointOf([{ jsonrpc: '2.0', id: 1, error }]);
  await expect(endpoint.request('eth_call')).rejects.toMatchObject(error);
  expect(asked()).toBe(1);
});

it('names what it could not read', async () => {
  const { endpoint } = await endpointOf([{ jsonrpc: '2.0', id: 1, result: { a: 'b' } }]);
  const call = { method: 'eth_blockNumber', params: [], read: readQuantity };
  await expect(endpoint.all([call])).rejects.toThrow(
    /did not answer eth_blockNumber: the answer: expected a quantity in hex, got {"a":"b"}$/,
  );
});

it('takes the answers of a batch by their ids, in any order, also where the node writes them as strings', async () => {
  const answers = [
    { jsonrpc: '2.0', id: '1', result: '0x8' },
    { jsonrpc: '2.0', id: 0, result: '0x7' },
  ];
  const { endpoint } = await endpointOf([answers]);
  const call = { method: 'eth_chainId', params: [], read: readQuantity };
  expect(await endpoint.all([call, call])).toEqual([7n, 8n]);
});
