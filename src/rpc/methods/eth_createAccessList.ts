import { blockRef } from '../codec/block-ref.ts';
import { optional } from '../codec/codec.ts';
import { hex, quantity } from '../codec/hex.ts';
import { stateOverrides } from '../codec/overrides.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { callViewAt } from '../read/block-at.ts';
import { callErrors } from '../read/failed-calls.ts';

/**
 * Returns the access list (EIP-2930) for a transaction, and the gas that the transaction uses with it.
 * @returns `{ accessList, error?, gasUsed }`
 * @geth geth also lists the coinbase if code accesses it, although it is always warm (EIP-3651), and omits the targets of delegations
 * (EIP-7702), whose access costs gas
 * @throws transactionRejected
 */
export const eth_createAccessList = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [transactionRequest, blockRef, optional(stateOverrides)],
  handler: async ({ chain, caller, contracts, pauses }, request, ref, state) => {
    const view = await callViewAt(chain, ref);
    const { accessList, executed } = await caller.createAccessList(view, request, { state }, { pauses });
    const [error] = await callErrors({ contracts }, [executed]);
    return {
      accessList: accessList.map(({ address, storageKeys }) => ({
        address: address.toString(),
        storageKeys: storageKeys.map(hex),
      })),
      ...(error && { error: error.message }),
      gasUsed: quantity(executed.gasUsed),
    };
  },
});
