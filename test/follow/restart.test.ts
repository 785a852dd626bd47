import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Devnet } from '../../src/index.ts';
import { eventually } from '../eventually.ts';
import { agree, closeNodesAfterEachTest, dir, follower, sequencer } from './nodes.ts';

closeNodesAfterEachTest();

describe('a restart of the sequencer', () => {
  const freePort = () =>
    new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as { port: number };
        server.close(() => resolve(port));
      });
    });

  test('is followed: reads go on meanwhile, sends are refused', async () => {
    const options = { dataDir: dir(), port: await freePort() };
    const live = await sequencer(options);
    const other = await follower(live, { dataDir: dir() });
    await live.send();
    await live.seal();
    await live.send();
    await live.tick();
    await agree(live, other);
    await live.close();
    await eventually(() => expect(other.lines).toHaveLength(1));
    expect(await other.call('eth_blockNumber')).toBe('0x1');
    await expect(
      other.call('eth_sendTransaction', { from: live.accounts.first, to: live.accounts.second }),
    ).rejects.toMatchObject({ code: -32000 });
    const again = await sequencer(options);
    await again.send();
    await again.seal();
    await eventually(() => expect(other.lines).toHaveLength(2), { timeout: 60_000 });
    await agree(again, other);
  });

  test('as another chain ends the follower', async () => {
    const options = { port: await freePort() };
    const live = await sequencer(options);
    const other: Devnet = (await follower(live)).node;
    const ended = expect(other.closed).rejects.toMatchObject({ name: 'OtherChain' });
    await live.close();
    await sequencer({ ...options, timestamp: 1_700_000_001 });
    await ended;
  });
});
