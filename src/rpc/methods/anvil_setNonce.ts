import { onOverlay } from '../../sequencer/dev-write.ts';
import { NEW_ACCOUNT } from '../../state/account.ts';
import { andThen } from '../../state/view.ts';
import { address, amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets an account's nonce. Waiting transactions with a lower nonce are dropped.
 * @returns null; true as Hardhat
 */
export const anvil_setNonce = defineMethod({
  kind: 'dev',
  writesState: true,
  params: [address, amount64],
  handler: ({ controls, shapes, cause }, account, nonce) => {
    const patching = controls.patch(
      cause,
      onOverlay((state) =>
        andThen(state.getAccount(account), (before) =>
          state.setAccount(account, { ...(before ?? NEW_ACCOUNT), nonce }),
        ),
      ),
    );
    return andThen(patching, () => shapes.done);
  },
});
