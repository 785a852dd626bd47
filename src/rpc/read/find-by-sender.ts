import type { Address } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import type { ChainReader, Position } from '../../chain/refs.ts';

/**
 * The transaction with which a sender used a nonce. Nonces only grow, so the block is found by halving: the first one
 * after which the sender's nonce is higher. A dev write of the nonce may hide transactions before it.
 */
export async function findBySender(
  chain: ChainReader,
  sender: Address,
  nonce: bigint,
): Promise<Position | undefined> {
  const used = async (block: BlockView) => ((await block.state.getAccount(sender))?.nonce ?? 0n) > nonce;
  const pending = await chain.resolve({ tag: 'pending' });
  if (!pending || !(await used(pending))) return undefined;
  const { latest } = chain;
  if (!(await used(latest))) return positionIn(pending, sender, nonce);
  let low = chain.genesis;
  let high = latest.header.number;
  while (low < high) {
    const middle = (low + high) / 2n;
    const block = await chain.resolve({ number: middle });
    if (block && (await used(block))) high = middle;
    else low = middle + 1n;
  }
  const block = await chain.resolve({ number: high });
  return block && positionIn(block, sender, nonce);
}

function positionIn(block: BlockView, sender: Address, nonce: bigint): Position | undefined {
  const index = block.transactions.findIndex(
    ({ from, tx }, i) => from.equals(sender) && (block.receipts[i]!.depositNonce ?? tx.nonce) === nonce,
  );
  return index < 0 ? undefined : { block, index };
}
