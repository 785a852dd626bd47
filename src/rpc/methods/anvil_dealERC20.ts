import { address, amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { balanceOf, dealToken } from '../send/token-slot.ts';

/**
 * Sets an account's balance of an ERC-20 token, in the token's units. Writes the storage slot that the token's `balanceOf` reads.
 * @returns null; true as Hardhat
 */
export const anvil_dealERC20 = defineMethod({
  kind: 'dev',
  params: [address, address, amount],
  handler: async (context, account, token, amount) => {
    await dealToken(context, token, balanceOf(account), amount);
    return context.shapes.done;
  },
});
