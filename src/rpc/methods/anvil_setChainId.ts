import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** The chain id that CHAINID answers and new transactions must name from now on. A restart forgets it. */
export const anvil_setChainId = defineMethod({
  name: 'anvil_setChainId',
  kind: 'dev',
  params: [uint64],
  handler: (context, chainId) => {
    context.setChainId(chainId);
    return context.shapes.done;
  },
});
