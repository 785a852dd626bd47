import {
  type Address,
  concatBytes,
  type EOACode7702AuthorizationListBytes,
  equalsBytes,
  MAX_UINT64,
  SECP256K1_ORDER_DIV_2,
} from '@ethereumjs/util';
import { EMPTY_BYTES, NEW_ACCOUNT } from '../state/account.ts';
import { integerOf } from '../state/integers.ts';
import type { Overlay } from '../state/overlay.ts';
import type { Hardfork } from './hardfork.ts';
import { DELEGATION_PREFIX, isDelegation } from './validity.ts';

const ZERO_ADDRESS = new Uint8Array(20);

/** Recovers the signer of an authorization tuple; throws when the signature is invalid. */
export type RecoverAuthority = (tuple: EOACode7702AuthorizationListBytes[number]) => Address;

/**
 * Sets the delegations that a type 4 transaction authorizes (EIP-7702, "Behavior"). A tuple that breaks a rule is
 * skipped; the others still count.
 * @param warm called with each authority
 * @returns the gas refund
 */
export async function setDelegations(
  tuples: EOACode7702AuthorizationListBytes,
  state: Overlay,
  hardfork: Hardfork,
  chainId: bigint,
  recover: RecoverAuthority,
  warm: (authority: Address) => void,
): Promise<bigint> {
  let refund = 0n;
  for (const tuple of tuples) {
    const [tupleChainId, target, nonceBytes, yParity, , s] = tuple;
    const forChain = integerOf(tupleChainId);
    if (forChain !== 0n && forChain !== chainId) continue;
    const nonce = integerOf(nonceBytes);
    if (nonce >= MAX_UINT64) continue;
    if (integerOf(s) > SECP256K1_ORDER_DIV_2 || integerOf(yParity) > 1n) continue;

    let authority: Address;
    try {
      authority = recover(tuple);
    } catch {
      continue;
    }
    warm(authority);
    const account = await state.getAccount(authority);
    const code = await state.getCode(authority);
    if (code.length > 0 && !isDelegation(code)) continue;
    if ((account?.nonce ?? 0n) !== nonce) continue;

    if (account) refund += hardfork.param('perEmptyAccountCost') - hardfork.param('perAuthBaseGas');
    state.setAccount(authority, { ...(account ?? NEW_ACCOUNT), nonce: nonce + 1n });
    const revoked = equalsBytes(target, ZERO_ADDRESS);
    await state.setCode(authority, revoked ? EMPTY_BYTES : concatBytes(DELEGATION_PREFIX, target));
  }
  return refund;
}
