import { blockNumber } from '../codec/block-ref.ts';
import { hex, quantity } from '../codec/hex.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns the state after a flashblock: the block, given by number or tag, as `pending` showed it after the flashblock with this index.
 * `transactions` are the hashes of the block's transactions up to this flashblock, and `added` those that came with it. `block` is a block
 * reference for other methods, which then read, call, estimate, simulate or trace on this state. It is available for the flashblocks that
 * `devnet_flashblocks` lists. For a sealed block the transactions up to the flashblock are executed again on the parent's state, which
 * isn't possible if a dev method changed the state while the block was built.
 * @returns `{ block, blockHash, parentHash, stateRoot, timestamp, gasUsed, transactions, added }`
 * @throws flashblockNotFound
 */
export const devnet_stateAt = defineMethod({
  kind: 'read',
  computes: true,
  params: [blockNumber, uint64],
  handler: async ({ chain, flashblocks }, of, index) => {
    const { header, hash, transactions } = await blockAt(chain, { of, flashblock: index });
    const before = flashblocks.find(header.number, index - 1n)?.transactions ?? 0;
    const hashes = transactions.map((transaction) => hex(transaction.hash));
    return {
      block: { blockNumber: quantity(header.number), flashblockIndex: Number(index) },
      blockHash: hex(hash),
      parentHash: hex(header.parentHash),
      stateRoot: hex(header.stateRoot),
      timestamp: quantity(header.timestamp),
      gasUsed: quantity(header.gasUsed),
      transactions: hashes,
      added: hashes.slice(before),
    };
  },
});
