import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns the timestamp of the genesis block in seconds; on a forked chain, that of the block at which the chain was forked.
 * @returns a number
 */
export const anvil_getGenesisTime = defineMethod({
  kind: 'node',
  live: true,
  handler: async ({ chain }) => Number((await blockAt(chain, { number: chain.genesis })).header.timestamp),
});
