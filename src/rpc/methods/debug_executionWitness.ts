import { anyBlock } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Executes a sealed block or the pending one again. Answers all that is needed to execute it without a state and to compute
 * its state root: `state` has the RLP of trie nodes, `codes` contracts' code, `keys` the addresses and slots that were read,
 * `headers` the RLP of the parent's header and of earlier ones back to the oldest whose hash was read.
 * @returns `{ state, codes, keys, headers }`, lists of bytes
 * @geth geth answers headers as objects and no keys. Here there is no witness of a block before which dev methods changed
 * the state, as `anvil_setBalance` does: nothing then leads from the parent's state root to the block's
 */
export const debug_executionWitness = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [anyBlock],
  handler: async ({ chain, tracing }, ref) => {
    const { nodes, codes, keys, headers } = await tracing.witness(await blockAt(chain, ref));
    return { state: nodes.map(hex), codes: codes.map(hex), keys: keys.map(hex), headers: headers.map(hex) };
  },
});
