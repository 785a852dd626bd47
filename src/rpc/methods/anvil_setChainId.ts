import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets the chain id that the CHAINID opcode returns and that new transactions must have. The setting is lost when the node restarts.
 * @returns null; true as Hardhat
 */
export const anvil_setChainId = defineMethod({
  kind: 'dev',
  params: [uint64],
  handler: (context, chainId) => {
    context.setChainId(chainId);
    return context.shapes.done;
  },
});
