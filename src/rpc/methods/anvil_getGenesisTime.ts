import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * The timestamp of the genesis block in seconds; on a forked chain, of the block that it was forked at.
 * @returns a number
 */
export const anvil_getGenesisTime = defineMethod({
  kind: 'node',
  live: true,
  handler: async ({ chain }) => Number((await blockAt(chain, { number: chain.genesis })).header.timestamp),
});
