import { blockRef } from '../codec/block-ref.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { storageAt } from '../read/contract-storage.ts';

/**
 * The state variables of a contract by name, with their values at a block, and where they are in its storage. The contract is found in
 * the build infos of `--artifacts`; a proxy (ERC-1967, ERC-1822, ERC-1167, EIP-7702) has the variables of its implementation. A
 * mapping has the keys that transactions have hashed in the blocks which changed the storage, the newest 100 of them. `layout` is
 * as solc's `storageLayout`, null where the build info doesn't tell it. See
 * [Storage by name](storage-by-name.md).
 * @returns an object with `contract`, `file`, `implementation`, `layout`, `variables`, `others` and `isComplete`, or null where no build
 *   info has the code
 */
export const devnet_storageLayout = defineMethod({
  kind: 'read',
  computes: true,
  params: [address, blockRef],
  handler: async (context, account, ref) =>
    (await storageAt(await blockAt(context.chain, ref), account, context)) ?? null,
});
