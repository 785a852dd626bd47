import { address, amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { allowance, dealToken } from '../send/token-slot.ts';

/**
 * Sets how many of an owner's ERC-20 tokens a spender may take, in the token's units. The parameters are owner, spender, token and amount.
 * Writes the storage slot that the token's `allowance` reads.
 * @returns null; true as Hardhat
 */
export const anvil_setERC20Allowance = defineMethod({
  kind: 'dev',
  params: [address, address, address, amount],
  handler: async (context, owner, spender, token, amount) => {
    await dealToken(context, token, allowance(owner, spender), amount);
    return context.shapes.done;
  },
});
