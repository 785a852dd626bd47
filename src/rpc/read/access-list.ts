import type { BlockView } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';

/**
 * The access list of a block in RLP (EIP-7928).
 * @throws DevnetError -32001 for a block before Amsterdam; 4444 where the list isn't kept: of a block from elsewhere
 */
export function accessListOf({ header, accessList }: BlockView): Uint8Array {
  if (!header.blockAccessListHash) throw new DevnetError('noAccessList', { number: header.number });
  if (!accessList) throw new DevnetError('prunedHistory');
  return accessList;
}
