import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LeaderClient } from '../../src/chain-log/leader-client.ts';
import type { Progress } from '../../src/chain-log/progress.ts';
import { SystemClock } from '../../src/clock.ts';

/** A node that answers what takes no time, and nothing else. */
async function busyNode(): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    if (text.includes('eth_chainId')) response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a call that was sent to the leader before ends when it is known where the next one is', async () => {
  const [old, next] = [await busyNode(), await busyNode()];
  let leader = old;
  const find = vi.fn(async () => leader);
  const progress = { waitUntilReached: async () => true } as unknown as Progress;
  const client = new LeaderClient({ silent: 5_000 }, { progress, find, clock: new SystemClock() });
  await client.refresh();
  const ended = expect(client.request('evm_mine', [])).rejects.toMatchObject({
    code: -32000,
    message: expect.stringMatching(/^the leader was replaced before it answered/),
  });
  // The same leader as before ends nothing.
  await client.refresh();
  leader = next;
  await client.refresh();
  await ended;
  expect(client.address).toBe(next);
});
