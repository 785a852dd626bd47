import { createAddressFromString } from '@ethereumjs/util';
import { hex } from '../codec/hex.ts';
import { hash32, uint32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { namedStorage } from '../read/contract-storage.ts';
import { executionOf } from '../trace/execution.ts';

/**
 * Returns the state variables, by name, of the account whose storage an opcode of a transaction works on, with their values before this
 * opcode. The second parameter is the number of the opcode. `variables` has the format of `devnet_storageLayout`; `contract` is the
 * contract whose source declares them.
 * @returns an object with `address`, `contract`, `file`, `variables` and `isComplete`, or null where there is no such opcode or no build
 * info has the code
 */
export const devnet_stepVariables = defineMethod({
  kind: 'read',
  computes: true,
  params: [hash32, uint32],
  handler: async (context, hash, step): Promise<unknown> => {
    const { chain, tracing } = context;
    const execution = await executionOf(context, hash);
    const address = step < execution.length ? execution.accountAt(step) : undefined;
    const place = chain.findTransaction(hash);
    if (address === undefined || !place) return null;
    const view = await blockAt(chain, { hash: place.block.hash });
    const before = await tracing.stateBefore(view, place.index);
    const written = execution.writtenAt(step, address);
    const account = createAddressFromString(address);
    const named = await namedStorage(
      view,
      account,
      (slot) => written.get(BigInt(hex(slot))) ?? before.getStorage(account, slot),
      context,
    );
    if (!named) return null;
    const { contract, file = null, variables, isComplete } = named;
    return { address, contract, file, variables, isComplete };
  },
});
