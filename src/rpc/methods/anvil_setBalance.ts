import { onOverlay } from '../../sequencer/dev-write.ts';
import { NEW_ACCOUNT } from '../../state/account.ts';
import { andThen } from '../../state/view.ts';
import { address, amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets an account's balance in wei.
 * @returns null; true as Hardhat
 */
export const anvil_setBalance = defineMethod({
  kind: 'dev',
  writesState: true,
  params: [address, amount],
  handler: ({ controls, shapes, cause }, account, balance) => {
    const patching = controls.patch(
      cause,
      onOverlay((state) =>
        andThen(state.getAccount(account), (before) =>
          state.setAccount(account, { ...(before ?? NEW_ACCOUNT), balance }),
        ),
      ),
    );
    return andThen(patching, () => shapes.done);
  },
});
