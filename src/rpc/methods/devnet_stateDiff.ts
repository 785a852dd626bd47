import { anyBlock } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { stateDiff } from '../read/state-diff.ts';

/**
 * The accounts and slots that differ between the states of two blocks, with both values: `[from, to]`.
 * @returns `{ address: { balance?, nonce?, codeHash?, storage? } }`, each value as `[from, to]`
 */
export const devnet_stateDiff = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [anyBlock, anyBlock],
  handler: async ({ chain, database, pauses }, from, to) => {
    const [before, after] = [await blockAt(chain, from), await blockAt(chain, to)];
    return stateDiff(before.state, after.state, database, pauses);
  },
});
