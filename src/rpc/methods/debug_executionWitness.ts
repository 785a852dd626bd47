import { anyBlock } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Executes a sealed block or the pending one again, and returns what is needed to execute it without a state and to compute its state root.
 * `state` has the RLP of trie nodes, `codes` the code of contracts, `keys` the addresses and slots that were read, `headers` the RLP of the
 * parent's header and of its ancestors back to the oldest one whose hash was read.
 * @returns `{ state, codes, keys, headers }`, lists of bytes
 * @geth geth returns headers as objects, and no keys. Here a block has no witness if dev methods such as `anvil_setBalance` changed the
 * state before it: the block then doesn't start from its parent's state root
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
