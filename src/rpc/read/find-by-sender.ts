import type { Address } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import type { ChainReader, TransactionPosition } from '../../chain/refs.ts';
import { firstBlockWhere } from './first-block.ts';

/** Finds the sealed or pre-confirmed transaction of a sender with a nonce; see {@link findSealedBySender}. */
export async function findBySender(
  chain: ChainReader,
  sender: Address,
  nonce: bigint,
): Promise<TransactionPosition | undefined> {
  const pending = await chain.resolve({ tag: 'pending' });
  if (!pending || !(await usedIn(pending, sender, nonce))) return undefined;
  if (!(await usedIn(chain.latest, sender, nonce))) return positionIn(pending, sender, nonce);
  return findSealedBySender(chain, sender, nonce);
}

/**
 * Finds the sealed transaction of a sender with a nonce. Nonces only grow, so it is in the first block after which the sender's nonce is
 * higher. If a dev method changed the nonce, transactions before that may not be found.
 */
export async function findSealedBySender(
  chain: ChainReader,
  sender: Address,
  nonce: bigint,
): Promise<TransactionPosition | undefined> {
  const block = await firstBlockWhere(chain, (at) => usedIn(at, sender, nonce));
  return block && positionIn(block, sender, nonce);
}

async function usedIn({ state }: BlockView, sender: Address, nonce: bigint): Promise<boolean> {
  return ((await state.getAccount(sender))?.nonce ?? 0n) > nonce;
}

function positionIn(block: BlockView, sender: Address, nonce: bigint): TransactionPosition | undefined {
  const index = block.transactions.findIndex(
    ({ from, tx }, i) => from.equals(sender) && (block.receipts[i]!.depositNonce ?? tx.nonce) === nonce,
  );
  return index < 0 ? undefined : { block, index };
}
