import { onOverlay } from '../../sequencer/dev-write.ts';
import { NEW_ACCOUNT } from '../../state/account.ts';
import { andThen } from '../../state/view.ts';
import { address, wordOf, writtenSlot } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets a storage slot of an account, and creates the account if it doesn't exist. The value is hex; the slot is hex, a number or a decimal
 * string.
 * @returns true
 */
export const anvil_setStorageAt = defineMethod({
  kind: 'dev',
  writesState: true,
  params: [address, writtenSlot, wordOf],
  handler: ({ controls, cause }, account, position, value) => {
    const patching = controls.patch(
      cause,
      onOverlay((state) =>
        andThen(state.getAccount(account), (before) => {
          if (!before) state.setAccount(account, NEW_ACCOUNT);
          state.setStorage(account, position, value);
        }),
      ),
    );
    return andThen(patching, () => true);
  },
});
