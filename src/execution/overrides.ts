import type { Address } from '@ethereumjs/util';
import type { Withdrawal } from '../chain/block.ts';
import { DevnetError } from '../errors.ts';
import type { Precompiles } from '../evm/engine.ts';
import type { BlockEnv } from '../evm/types.ts';
import type { Overlay } from '../state/overlay.ts';
import { applyOverrides, type AccountOverride as StateOverride } from '../state/overrides.ts';

/** What a caller replaces of an account. Only what is named is replaced. */
export interface CallAccountOverride extends StateOverride {
  /** the precompile at this address answers at that one instead */
  readonly movePrecompileToAddress?: Address;
}

/** By `0x` address, in the caller's order. */
export type StateOverrides = ReadonlyMap<string, CallAccountOverride>;

/** What a caller replaces of a block. Only what is named is replaced. */
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
  /** not used since the merge, where there is none */
  readonly difficulty?: bigint;
  /** EIP-4788 */
  readonly beaconRoot?: Uint8Array;
}

/** The environment with what is overridden. */
export function overrideEnv(env: BlockEnv, overrides: BlockOverrides = {}): BlockEnv {
  const { number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee } = overrides;
  return {
    ...env,
    ...(number !== undefined && { number }),
    ...(time !== undefined && { timestamp: time }),
    ...(gasLimit !== undefined && { gasLimit }),
    ...(feeRecipient && { coinbase: feeRecipient }),
    ...(prevRandao && { prevRandao }),
    ...(baseFeePerGas !== undefined && { baseFeePerGas }),
    ...(blobBaseFee !== undefined && { blobBaseFee }),
  };
}

/**
 * Writes account overrides into `state` and moves precompiles, as geth's `override.go` does: an override of a
 * precompile's address takes the precompile away from there.
 * @param precompiles by 40 hex digits; changed in place
 * @returns `precompiles`
 * @throws DevnetError -32000 and -38022 for moves that can't be
 */
export async function applyStateOverrides(
  state: Overlay,
  overrides: StateOverrides,
  precompiles: Precompiles,
): Promise<Precompiles> {
  const before = new Map(precompiles);
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
  }
  await applyOverrides(state, overrides);
  return precompiles;
}
