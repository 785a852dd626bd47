import { Address } from '@ethereumjs/util';
import { isDelegation } from '../../protocol/validity.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { StateView } from '../../state/view.ts';

const hashOf = (text: string) => keccak256(Buffer.from(text));

/** ERC-1967: `keccak256('eip1967.proxy.implementation') - 1`, which doesn't end in zero. */
const ERC_1967 = hashOf('eip1967.proxy.implementation');
ERC_1967[31]!--;
/** Storage slots in which proxies have the address of their implementation: ERC-1967, ERC-1822, and OpenZeppelin's before ERC-1967. */
const SLOTS = [ERC_1967, hashOf('PROXIABLE'), hashOf('org.zeppelinos.proxy.implementation')];
/** ERC-1167 and its shorter variants: short code that pushes an address and delegates the call to it (PUSH20, GAS, DELEGATECALL). */
const MINIMAL_PROXY = /^[\da-f]{16,48}73([\da-f]{40})5af4/;
/** bytes */
const MAX_MINIMAL_LENGTH = 64;

/**
 * Returns the account whose code a proxy runs on its own storage, by EIP-7702, ERC-1167, ERC-1967, ERC-1822 or OpenZeppelin's older slot.
 * @returns `undefined` if the account isn't such a proxy
 */
export async function implementationOf(state: StateView, proxy: Address): Promise<Address | undefined> {
  const code = await state.getCode(proxy);
  if (isDelegation(code)) return new Address(code.slice(3));
  if (code.length === 0) return undefined;
  const minimal =
    code.length <= MAX_MINIMAL_LENGTH && MINIMAL_PROXY.exec(Buffer.from(code).toString('hex'))?.[1];
  if (minimal) return new Address(Buffer.from(minimal, 'hex'));
  for (const slot of SLOTS) {
    const value = await state.getStorage(proxy, slot);
    if (value.length === 0 || value.length > 20) continue;
    const bytes = new Uint8Array(20);
    bytes.set(value, 20 - value.length);
    const found = new Address(bytes);
    if ((await state.getCode(found)).length > 0) return found;
  }
  return undefined;
}
