import type { Address } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import { ForkedState } from '../../state/forked-state.ts';
import type { ForkContext } from './context.ts';
import { OnRemoteChain } from './reader.ts';

/**
 * Throws for a proof in a forked state: only the other chain's node can make proofs, and only for its own blocks. At the fork block they
 * match the state root in the header, which doesn't include the balances that this node gave its dev accounts.
 * @throws OnRemoteChain if the other node has the proof
 * @throws DevnetError -32000 for a block that was made here, and for an account that was changed here after the fork
 */
export function remoteProof(
  fork: ForkContext | undefined,
  { header, state, sealed }: BlockView,
  address: Address,
): never {
  if (!fork || !(state instanceof ForkedState) || !sealed || header.number !== fork.number)
    throw new DevnetError('server', {
      reason: `there are no proofs of blocks after block ${fork?.number ?? 0}, where this chain was forked`,
    });
  if (!state.hasSameLocally(address, fork.state))
    throw new DevnetError('server', {
      reason: `there is no proof of ${address} in block ${header.number}: the account was changed after the chain was forked`,
    });
  throw new OnRemoteChain();
}
