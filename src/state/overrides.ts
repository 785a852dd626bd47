import { createAddressFromString, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { type Pauses, turns } from '../turns.ts';
import { NEW_ACCOUNT } from './account.ts';
import type { Overlay } from './overlay.ts';
import { type Awaitable, andThen, inOrder } from './view.ts';

/** Number of slots, and of accounts, between two checks of the clock. */
const SLOTS = 64;
const ACCOUNTS = 8;

/** One account of the state override set of `eth_call` and `eth_simulateV1`. Only the given fields are replaced. */
export interface AccountOverride {
  /** wei */
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  /** The complete storage, by slot (`0x` hex of 32 bytes). The codec rejects it together with `stateDiff`. */
  readonly state?: ReadonlyMap<string, Uint8Array>;
  /** The slots to replace (`0x` hex of 32 bytes); the others stay. */
  readonly stateDiff?: ReadonlyMap<string, Uint8Array>;
}

/**
 * Writes overrides into the overlay. Creates missing accounts, as geth does. Doesn't handle moved precompiles, which
 * belong to the EVM, not to the state.
 * @param overrides by `0x` address
 * @param pauses lets other work run between accounts and between slots
 */
export function applyOverrides(
  overlay: Overlay,
  overrides: ReadonlyMap<string, AccountOverride>,
  pauses: Pauses = turns,
): Awaitable<unknown> {
  let accounts = 0;
  return inOrder(overrides, ([key, override]) =>
    andThen(applyOverride(overlay, key, override, pauses), () =>
      ++accounts % ACCOUNTS > 0 ? undefined : rest(pauses),
    ),
  );
}

/** Lets other work run before the next item, if the time slice is used up. */
function rest(pauses: Pauses): Awaitable<undefined> {
  return pauses.due ? pauses.pause().then(() => undefined) : undefined;
}

function applyOverride(
  overlay: Overlay,
  key: string,
  { balance, nonce, code, state, stateDiff }: AccountOverride,
  pauses: Pauses,
): Awaitable<unknown> {
  // An override without fields must not create an empty account.
  if ((balance ?? nonce ?? code ?? state ?? stateDiff) === undefined) return undefined;
  const address = createAddressFromString(key);
  return andThen(overlay.getAccount(address), (account = NEW_ACCOUNT) => {
    overlay.setAccount(address, {
      ...account,
      balance: balance ?? account.balance,
      nonce: nonce ?? account.nonce,
    });
    const writeStorage = (): Awaitable<unknown> => {
      if (state !== undefined) overlay.clearStorage(address);
      let slots = 0;
      return inOrder(state ?? stateDiff ?? [], ([slot, value]) => {
        overlay.setStorage(address, hexToBytes(slot as PrefixedHexString), value);
        return ++slots % SLOTS > 0 ? undefined : rest(pauses);
      });
    };
    return andThen(code && overlay.setCode(address, code), writeStorage);
  });
}
