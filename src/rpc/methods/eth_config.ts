import { defineMethod } from '../define-method.ts';
import { forkConfigs } from '../format/hardfork-config.ts';

/**
 * Returns the configuration (EIP-7910) of the current hardfork, of the next one, and of the last one that is scheduled.
 * @returns `{ current, next, last }`
 */
export const eth_config = defineMethod({
  kind: 'read',
  handler: async ({ chain, forks }) => {
    const genesis = await chain.resolve({ number: chain.genesis });
    return forkConfigs(forks, genesis!, chain.latest.header);
  },
});
