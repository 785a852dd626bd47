import type { BlockView } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';

/**
 * Returns the access list of a block in RLP (EIP-7928).
 * @throws DevnetError -32001 for a block before Amsterdam; 4444 if the list isn't kept, as for a block from another node
 */
export function accessListOf({ header, accessList }: BlockView): Uint8Array {
  if (!header.blockAccessListHash) throw new DevnetError('noAccessList', { number: header.number });
  if (!accessList) throw new DevnetError('prunedHistory');
  return accessList;
}
