import { concatBytes } from '@ethereumjs/util';
import type { Rollup } from '../protocol/hardfork.ts';
import { integerOf, integerWord } from '../state/integers.ts';

/** Parameters of an OP chain's base fee. */
export interface FeeParameters {
  /** EIP-1559's `BASE_FEE_MAX_CHANGE_DENOMINATOR` */
  readonly denominator: bigint;
  /** gas limit divided by gas target */
  readonly elasticity: bigint;
  /** wei per gas; 0 before Jovian */
  readonly minBaseFee: bigint;
}

/** OP Mainnet's parameters, used if a block's `extraData` contains none. */
export const DEFAULT_FEE_PARAMETERS: FeeParameters = { denominator: 250n, elasticity: 6n, minBaseFee: 0n };

/**
 * `extraData` of an OP chain's blocks. Version 0: denominator and elasticity (specs.optimism.io/protocol/holocene). Version 1:
 * also the minimum base fee (specs.optimism.io/protocol/jovian).
 */
export function encodeFeeParameters(parameters: FeeParameters, rollup: Rollup): Uint8Array {
  const { denominator, elasticity, minBaseFee } = parameters;
  const both = concatBytes(integerWord(denominator, 4), integerWord(elasticity, 4));
  if (rollup === 'holocene') return concatBytes(Uint8Array.of(0), both);
  return concatBytes(Uint8Array.of(1), both, integerWord(minBaseFee, 8));
}

/** Inverse of {@link encodeFeeParameters}. @returns `undefined` for other bytes, and if a parameter is 0 */
export function decodeFeeParameters(extraData: Uint8Array): FeeParameters | undefined {
  const length = extraData[0] === 0 ? 9 : extraData[0] === 1 ? 17 : undefined;
  if (extraData.length !== length) return undefined;
  const denominator = integerOf(extraData.subarray(1, 5));
  const elasticity = integerOf(extraData.subarray(5, 9));
  if (denominator === 0n || elasticity === 0n) return undefined;
  return { denominator, elasticity, minBaseFee: integerOf(extraData.subarray(9)) };
}
