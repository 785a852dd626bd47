import { anyBlock } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { blocksBetween, ChangedVariables } from '../read/contract-storage.ts';
import { stateDiff } from '../read/state-diff.ts';

/**
 * Returns the accounts and storage slots that differ between the states of two blocks, with both values as `[from, to]`. For contracts that
 * are in the build infos of `--artifacts`, the state variables that differ are included by name: see [Storage by name](storage-by-name.md).
 * @returns `{ address: { balance?, nonce?, codeHash?, storage?, contract?, variables? } }`, each value as `[from, to]`; `variables` is
 * a list of `{ name, type, slot, offset, bytes, from, to }`
 */
export const devnet_stateDiff = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [anyBlock, anyBlock],
  handler: async (context, from, to) => {
    const { chain, database, pauses, stackTraces } = context;
    const [before, after] = [await blockAt(chain, from), await blockAt(chain, to)];
    const diff = await stateDiff(before.state, after.state, database, pauses);
    if (!stackTraces.mayKnow) return diff;
    const blocks = await blocksBetween(before, after, context);
    const changed = new ChangedVariables({ from: before.state, to: after.state, blocks }, context);
    return changed.addedTo(diff);
  },
});
