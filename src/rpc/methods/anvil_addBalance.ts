import { onOverlay } from '../../sequencer/dev-write.ts';
import { MAX_BALANCE, NEW_ACCOUNT } from '../../state/account.ts';
import { invalid } from '../codec/codec.ts';
import { address, amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Adds an amount in wei to an account's balance.
 * @returns null; true as Hardhat
 */
export const anvil_addBalance = defineMethod({
  kind: 'dev',
  params: [address, amount],
  handler: async ({ controls, shapes, cause }, account, amount) => {
    await controls.patch(
      cause,
      onOverlay(async (state) => {
        const before = (await state.getAccount(account)) ?? NEW_ACCOUNT;
        const balance = before.balance + amount;
        if (balance > MAX_BALANCE)
          invalid(
            'params[1]',
            `at most ${MAX_BALANCE - before.balance} wei more: a balance has 256 bits`,
            `${amount}`,
          );
        state.setAccount(account, { ...before, balance });
      }),
    );
    return shapes.done;
  },
});
