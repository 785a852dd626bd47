import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/** The time of the genesis block in seconds; of the block that a forked chain went on from. */
export const anvil_getGenesisTime = defineMethod({
  name: 'anvil_getGenesisTime',
  kind: 'node',
  live: true,
  params: [],
  handler: async ({ chain }) => Number((await blockAt(chain, { number: chain.genesis })).header.timestamp),
});
