import type { BlockView } from '../../chain/block.ts';
import type { BlockRef } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import type { RpcContext } from '../context.ts';
import { OnRemoteChain } from '../fork/reader.ts';
import { blockAt } from './block-at.ts';
import { stateDiff } from './state-diff.ts';

/**
 * Returns the addresses, sorted, of the accounts whose nonce, balance, code or storage differ between two blocks.
 * @param end if absent, the block `start` is compared with its parent
 * @throws DevnetError -32000 for a block that doesn't exist, for a range that is empty or crosses the fork block, and if too much differs:
 * see {@link stateDiff}
 */
export async function modifiedAccounts(
  { chain, database, pauses }: Pick<RpcContext, 'chain' | 'database' | 'pauses'>,
  start: BlockRef,
  end: BlockRef | undefined,
): Promise<string[]> {
  const last = await blockAt(chain, end ?? start);
  const first = end ? await firstOf(chain, start, last) : await parentOf(chain, last);
  if (first.header.number >= last.header.number)
    throw new DevnetError('server', {
      reason: `start block height (${first.header.number}) must be less than end block height (${last.header.number})`,
    });
  return Object.keys(await stateDiff(first.state, last.state, database, pauses));
}

async function firstOf(chain: RpcContext['chain'], start: BlockRef, last: BlockView): Promise<BlockView> {
  try {
    return await blockAt(chain, start);
  } catch (error) {
    if (!(error instanceof OnRemoteChain) || last.header.number <= chain.genesis) throw error;
    throw new DevnetError('server', {
      reason: `the range crosses block ${chain.genesis}, where this chain was forked: request the blocks before and after it separately`,
    });
  }
}

async function parentOf(chain: RpcContext['chain'], { header }: BlockView): Promise<BlockView> {
  const parent = await chain.resolve({ hash: header.parentHash });
  if (!parent) throw new DevnetError('server', { reason: `block ${header.number} has no parent` });
  return parent;
}
