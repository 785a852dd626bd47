import { EMPTY_ROOT } from '../../state/account.ts';
import { type Awaitable, andThen, type StateView } from '../../state/view.ts';
import { MESSAGE_PASSER } from './optimism.ts';

/**
 * Storage root of the L2ToL1MessagePasser contract, which is the `withdrawalsRoot` of an OP chain's headers
 * (specs.optimism.io/protocol/isthmus/exec-engine.html).
 * @param state a state whose writes are folded into its tries
 */
export function messagesRoot(state: StateView): Awaitable<Uint8Array> {
  return andThen(state.getAccount(MESSAGE_PASSER), (account) => account?.storageRoot ?? EMPTY_ROOT);
}
