import { DevnetError } from '../../errors.ts';
import { giveWay } from '../../turns.ts';
import { mineOptions } from '../codec/mine.ts';
import { defineMethod } from '../define-method.ts';
import { formatBlock } from '../format/block.ts';

/** Limited because one answer contains all of them. */
const MAX_BLOCKS = 10_000n;

/**
 * Seals blocks like `evm_mine`, and returns them with their transactions. At most 10,000 blocks.
 * @returns a list of blocks with whole transactions
 * @throws timestampTooLow, timestampTooHigh
 */
export const evm_mine_detailed = defineMethod({
  kind: 'dev',
  params: [mineOptions],
  handler: ({ chain, controls, sequencer, cause }, { timestamp, blocks = 1n }) => {
    if (blocks > MAX_BLOCKS) throw new DevnetError('limitExceeded', { limit: 'blocks', max: MAX_BLOCKS });
    return sequencer.inTurn(cause, async (turn) => {
      await controls.mineIn(turn, blocks, { timestamp });
      const { number: last } = (await chain.resolve({ tag: 'latest' }))!.header;
      const mined = [];
      for (let number = last - blocks + 1n; number <= last; number++) {
        await giveWay();
        mined.push(formatBlock((await chain.resolve({ number }))!, true));
      }
      return mined;
    });
  },
});
