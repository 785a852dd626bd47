import { address, amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { balanceOf, dealToken } from '../send/token-slot.ts';

/** Sets what an account holds of a token, by finding the slot that `balanceOf` reads. A dev write (SPEC 3). */
export const anvil_dealERC20 = defineMethod({
  name: 'anvil_dealERC20',
  params: [address, address, amount],
  handler: async (context, account, token, amount) => {
    await dealToken(context, token, balanceOf(account), amount);
    return context.shapes.done;
  },
});
