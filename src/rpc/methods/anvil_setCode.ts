import { onOverlay } from '../../sequencer/dev-write.ts';
import { andThen } from '../../state/view.ts';
import { address, data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets an account's code, and keeps its storage.
 * @returns null; true as Hardhat
 */
export const anvil_setCode = defineMethod({
  kind: 'dev',
  writesState: true,
  params: [address, data],
  handler: ({ controls, shapes, cause }, account, code) =>
    andThen(
      controls.patch(
        cause,
        onOverlay((state) => state.setCode(account, code)),
      ),
      () => shapes.done,
    ),
});
