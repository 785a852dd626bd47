import type { Address } from '@ethereumjs/util';
import type { ChainReader } from '../../chain/refs.ts';
import type { Frame } from '../../engine/tracers/frames.ts';
import type { Tracing } from '../../execution/trace.ts';
import { hasCode } from '../../state/account.ts';
import { hex } from '../codec/hex.ts';
import { frameTrace } from '../format/ots-trace.ts';
import { firstBlockWhere } from './first-block.ts';

/**
 * Finds the transaction that created a contract that exists at `latest`. Its block is the first one after which the account has code or a
 * nonce (a contract's nonce starts at 1, EIP-161), so only this block is executed again.
 * @returns its hash, and the creator: an account, or the contract that executed CREATE or CREATE2
 */
export async function contractCreator(
  address: Address,
  { chain, tracing }: { readonly chain: ChainReader; readonly tracing: Tracing },
) {
  const block = await firstBlockWhere(chain, async ({ state }) => {
    const account = await state.getAccount(address);
    return account !== undefined && (account.nonce > 0n || hasCode(account));
  });
  if (!block || block.transactions.length === 0) return undefined;
  const creators = await tracing.block(block, () => frameTrace((root) => creatorIn(root, address)));
  const index = creators.findLastIndex((creator) => creator !== undefined);
  return index < 0
    ? undefined
    : { hash: hex(block.transactions[index]!.hash), creator: creators[index]!.toString() };
}

/** Returns the creator in the last successful creation of the address within a frame. */
function creatorIn(frame: Frame, address: Address): Address | undefined {
  if (frame.error !== undefined) return undefined;
  const isCreation = frame.type === 'CREATE' || frame.type === 'CREATE2';
  if (isCreation && frame.to?.equals(address)) return frame.from;
  for (const call of frame.calls.toReversed()) {
    const creator = creatorIn(call, address);
    if (creator) return creator;
  }
  return undefined;
}
