import { afterEach, expect, it } from 'vitest';
import { MODES, startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node.close());

it('a nonce that a pre-confirmed transaction has is told from one that is used up', async () => {
  node = await startNode(MODES.interval);
  await node.transfer();
  await node.tick();
  const again = () => node.transfer('0x1', { nonce: '0x0' });
  await expect(again()).rejects.toMatchObject({
    code: -32003,
    payload: { expected: 1n, got: 0n, sealed: 0n },
    message: expect.stringMatching(/^nonce too low: next nonce 1, tx nonce 0 .*latest.*pending/),
  });
  await node.clock.advance(2000);
  await expect(again()).rejects.toMatchObject({ code: -32003, payload: { expected: 1n, got: 0n } });
  await expect(again()).rejects.not.toHaveProperty('payload.sealed');
});
