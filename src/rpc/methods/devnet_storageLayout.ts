import { blockRef } from '../codec/block-ref.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { storageAt } from '../read/contract-storage.ts';

/**
 * Returns the state variables of a contract by name, with their values at a block and their positions in its storage. The contract is found
 * by its code in the build infos of `--artifacts`; a proxy (ERC-1967, ERC-1822, ERC-1167, EIP-7702) has the variables of its
 * implementation. For mappings, the keys are those that transactions hashed in the newest 100 blocks that changed the contract's storage.
 * `layout` is solc's `storageLayout`, or null if the build info doesn't have it. See [Storage by name](storage-by-name.md).
 * @returns an object with `contract`, `file`, `implementation`, `layout`, `variables`, `others` and `isComplete`, or null where no build
 * info has the code
 */
export const devnet_storageLayout = defineMethod({
  kind: 'read',
  computes: true,
  params: [address, blockRef],
  handler: async (context, account, ref) =>
    (await storageAt(await blockAt(context.chain, ref), account, context)) ?? null,
});
