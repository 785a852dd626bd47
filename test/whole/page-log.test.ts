import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createDevnet } from '../../src/index.ts';

async function callsOver(url: string, calls: readonly [string, ...unknown[]][]) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  for (const [id, [method, ...params]] of calls.entries()) {
    const answered = once(socket, 'message');
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    await answered;
  }
  socket.close();
}

const CALLS: readonly [string, ...unknown[]][] = [
  ['eth_blockNumber'],
  ['eth_getBlockByNumber', 'latest', true],
  ['eth_getBlockByNumber', 'nonsense', true],
  ['eth_subscribe', 'newHeads'],
  ['txpool_content'],
  ['evm_mine'],
];

it("the page's reads are not logged, but what its user changes is; all of it is counted", async () => {
  const told: string[] = [];
  const node = await createDevnet(
    { port: 0, automine: true, manualClock: true },
    { onCall: ({ method }) => told.push(method) },
  );
  const ws = node.url!.replace('http', 'ws');
  await callsOver(`${ws}/explorer/rpc`, CALLS);
  expect(told).toEqual(['evm_mine']);
  await callsOver(ws, CALLS);
  expect(told.slice(1)).toEqual(CALLS.map(([method]) => method));
  const metrics = await (await fetch(`${node.url}/metrics`)).text();
  expect(metrics).toMatch(/devnet_rpc_requests_total\{method="txpool_content",result="ok"\} 2\n/);
  await node.close();
});

it('there is no such path without the page', async () => {
  const node = await createDevnet({ port: 0, noExplorer: true });
  const socket = new WebSocket(`${node.url!.replace('http', 'ws')}/explorer/rpc`);
  const [error] = await once(socket, 'error');
  expect(error.message).toBe('Unexpected server response: 404');
  await node.close();
});
