import type { Address } from '@ethereumjs/util';
import type { Withdrawal } from '../chain/block.ts';
import type { Engine, Precompiles } from '../engine/engine.ts';
import { DevnetError } from '../errors.ts';
import type { BlockEnv } from '../protocol/types.ts';
import type { Overlay } from '../state/overlay.ts';
import { applyOverrides, type AccountOverride as StateOverride } from '../state/overrides.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import type { Pauses } from '../turns.ts';

/** Replaces fields of an account for a call. Absent fields stay as they are. */
export interface CallAccountOverride extends StateOverride {
  /** moves the precompile at this account's address to another address */
  readonly movePrecompileToAddress?: Address;
}

/** Account overrides by `0x` address, in the caller's order. */
export type StateOverrides = ReadonlyMap<string, CallAccountOverride>;

/** Replaces fields of the block for a call. Absent fields stay as they are. */
export interface BlockOverrides {
  readonly number?: bigint;
  /** seconds */
  readonly time?: bigint;
  /** gas */
  readonly gasLimit?: bigint;
  readonly feeRecipient?: Address;
  /** 32 bytes */
  readonly prevRandao?: Uint8Array;
  /** wei per gas */
  readonly baseFeePerGas?: bigint;
  /** wei per blob gas */
  readonly blobBaseFee?: bigint;
  /** EIP-4895 */
  readonly withdrawals?: readonly Withdrawal[];
  /** used before the merge only */
  readonly difficulty?: bigint;
  /** EIP-4788 */
  readonly beaconRoot?: Uint8Array;
}

/** A copy of the environment with overridden fields replaced. An overridden base fee is ignored before London (EIP-1559). */
export function overrideEnv(
  env: BlockEnv,
  overrides: BlockOverrides | undefined,
  engine: Pick<Engine, 'hardforkOf'>,
): BlockEnv {
  // Returns the same object, because the engine caches data by environment.
  if (!overrides) return env;
  const { number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee } = overrides;
  const changed = {
    ...env,
    ...(number !== undefined && { number }),
    ...(time !== undefined && { timestamp: time }),
    ...(gasLimit !== undefined && { gasLimit }),
    ...(feeRecipient && { coinbase: feeRecipient }),
    ...(prevRandao && { prevRandao }),
    ...(blobBaseFee !== undefined && { blobBaseFee }),
  };
  if (baseFeePerGas === undefined || !engine.hardforkOf(changed).has(1559)) return changed;
  return { ...changed, baseFeePerGas };
}

/**
 * Writes account overrides into `state` and moves precompiles, as geth's `override.go` does: overriding the account at
 * a precompile's address removes the precompile from there.
 * @param precompilesOf returns the precompiles by address (40 hex digits). This function changes them in place
 * @returns the precompiles; `undefined` if none was moved or removed
 * @throws DevnetError -32000 or -38022 for an impossible move of a precompile
 */
export function applyStateOverrides(
  state: Overlay,
  overrides: StateOverrides,
  precompilesOf: () => Precompiles,
  pauses: Pauses,
): Awaitable<Precompiles | undefined> {
  const precompiles = mayMovePrecompiles(overrides) ? movePrecompiles(overrides, precompilesOf()) : undefined;
  return andThen(applyOverrides(state, overrides, pauses), () => precompiles);
}

/** @returns the precompiles; `undefined` if none was moved or removed */
function movePrecompiles(overrides: StateOverrides, precompiles: Precompiles): Precompiles | undefined {
  const before = new Map(precompiles);
  let moved = false;
  for (const [address, { movePrecompileToAddress: target }] of overrides) {
    const precompile = before.get(address.slice(2));
    if (target) {
      if (!precompile) throw new DevnetError('server', { reason: `account ${address} is not a precompile` });
      if (target.toString() === address) throw new DevnetError('precompileMoveToSelf', { address });
      if (overrides.has(target.toString())) {
        throw new DevnetError('server', { reason: `account ${target.toString()} is already overridden` });
      }
      precompiles.set(target.toString().slice(2), precompile);
    }
    if (precompile) precompiles.delete(address.slice(2));
    moved ||= precompile !== undefined;
  }
  return moved ? precompiles : undefined;
}

/** Whether overrides may affect precompiles. Checked first, because loading EthereumJS's precompiles takes 10 ms. */
export function mayMovePrecompiles(overrides: StateOverrides): boolean {
  for (const [address, { movePrecompileToAddress: target }] of overrides)
    if (target || mayBePrecompile(address)) return true;
  return false;
}

/** Whether an address can be a precompile's: all precompiles have addresses below 2^16. */
function mayBePrecompile(address: string): boolean {
  return address.startsWith('0x000000000000000000000000000000000000');
}
