import { address, amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { allowance, dealToken } from '../send/token-slot.ts';

/** Sets what a spender may take of an owner's tokens, by finding the slot that `allowance` reads. A dev write (SPEC 3). */
export const anvil_setERC20Allowance = defineMethod({
  name: 'anvil_setERC20Allowance',
  params: [address, address, address, amount],
  handler: async (context, owner, spender, token, amount) => {
    await dealToken(context, token, allowance(owner, spender), amount);
    return context.shapes.done;
  },
});
