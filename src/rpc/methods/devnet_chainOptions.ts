import { DevnetError } from '../../errors.ts';
import { hex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns what another node needs to build the same chain: the options of this node without private keys, and the time and hash of its
 * genesis block.
 * @returns `{ options, chainId, genesis: { timestamp, hash } }`
 */
export const devnet_chainOptions = defineMethod({
  kind: 'node',
  handler: async ({ chain, chainId, chainOptions, fork }) => {
    if (fork)
      throw new DevnetError('server', {
        reason: 'the chain is forked from another one, which followers lack',
      });
    const { header, hash } = (await chain.resolve({ number: chain.genesis }))!;
    return {
      options: chainOptions(),
      chainId: Number(chainId),
      genesis: { timestamp: Number(header.timestamp), hash: hex(hash) },
    };
  },
});
