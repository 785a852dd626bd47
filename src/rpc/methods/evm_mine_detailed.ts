import { mineOptions } from '../codec-mine.ts';
import { defineMethod } from '../define-method.ts';
import { formatBlock, type RpcBlock } from '../format-block.ts';

/** As `evm_mine`, and answers the blocks with their transactions. */
export const evm_mine_detailed = defineMethod({
  name: 'evm_mine_detailed',
  params: [mineOptions],
  handler: ({ sequencer }, { timestamp, blocks = 1n }) => {
    return sequencer.inTurn(async ({ mine }) => {
      const mined: RpcBlock[] = [];
      for (let i = 0n; i < blocks; i++)
        mined.push(formatBlock(await mine(i === 0n ? { timestamp } : {}), true));
      return mined;
    });
  },
});
