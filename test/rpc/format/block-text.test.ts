import { expect, test } from 'vitest';
import { formatBlock } from '../../../src/rpc/format/block.ts';
import { blockText } from '../../../src/rpc/format/block-text.ts';
import { startChain } from '../../sequencer/start-chain.ts';

test('a block as text is the block as it is formatted, at each index and after a rebuild', async () => {
  await using chain = await startChain({ blockTime: 2, flashblockInterval: 200 });
  const check = () => {
    const { block } = chain.sequencer.published.at(-1)!;
    expect(blockText(block, true)).toBe(JSON.stringify(formatBlock(block, true)));
    return block;
  };
  check();
  const first = await chain.send({ from: 0 });
  await chain.send({ from: 1 });
  await chain.clock.advance(200);
  check();
  await chain.send({ from: 0 });
  await chain.clock.advance(200);
  expect(check().transactions).toHaveLength(3);
  await chain.call('devnet_dropPreconfirmed', first);
  check();
  await chain.clock.advance(2000);
  check();
});
