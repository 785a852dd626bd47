import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { removeDirectoriesAfterEachTest, scratch } from '../../chain/store/directories.ts';
import { startChain } from '../../sequencer/start-chain.ts';
import { MODES, startNode } from './node.ts';

removeDirectoriesAfterEachTest();

it('a nonce that a pre-confirmed transaction has is told from one that is used up', async () => {
  const node = await startNode(MODES.interval);
  await node.transfer();
  await node.tick();
  const again = () => node.transfer('0x1', { nonce: '0x0' });
  await expect(again()).rejects.toMatchObject({
    code: -32003,
    payload: { expected: 1n, got: 0n, sealed: 0n },
    message: expect.stringMatching(
      /^nonce too low: next nonce 1, tx nonce 0 .*latest.*pending.*--automine or --flashblock-interval 0/,
    ),
  });
  await node.clock.advance(2000);
  await expect(again()).rejects.toMatchObject({ code: -32003, payload: { expected: 1n, got: 0n } });
  await expect(again()).rejects.not.toHaveProperty('payload.sealed');
  await node.close();
});

it('a nonce that the node chooses while blocks are taken back fits what takes their place', async () => {
  // Writes to a disk leave time for sends while the chain is between two places.
  await using chain = await startChain({ ...MODES.interval, dataDir: scratch() });
  const send7 = async () => {
    for (let i = 0; i < 7; i++) await chain.send();
  };
  const changes = [
    async () => {
      await chain.call('evm_mine');
      return () => chain.call('devnet_reorg', 1);
    },
    async () => {
      const id = await chain.call('evm_snapshot');
      await send7();
      await chain.clock.advance(200);
      return () => chain.call('evm_revert', id);
    },
  ];
  const sent: Promise<string>[] = [];
  for (let round = 0; round < 60; round++) {
    await send7();
    await chain.clock.advance(200);
    const change = await changes[round % 2]!();
    let changing = true;
    const changed = change().then(() => (changing = false));
    while (changing) {
      await setImmediate();
      sent.push(chain.send());
    }
    await changed;
  }
  const failed = (await Promise.allSettled(sent)).filter(({ status }) => status === 'rejected');
  expect(sent.length).toBeGreaterThan(80);
  expect(failed).toEqual([]);
});
