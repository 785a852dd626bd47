import { Address, hexToBytes } from '@ethereumjs/util';
import { integerOf, integerWord } from '../../state/integers.ts';
import { PREDEPLOYS } from '../../state/predeploys.ts';
import type { StateView } from '../../state/view.ts';
import { fastLzLength } from './fast-lz.ts';

/** The L1Block contract: L1's fee parameters on an OP chain. The slots are those of Ecotone, Isthmus and Jovian. */
export const L1_BLOCK = new Address(hexToBytes(PREDEPLOYS.l1Block));
/** Slots of the L1Block contract whose values {@link l1FeesOf} takes. */
export const L1_FEE_SLOTS = [1n, 3n, 7n, 8n];
const UINT16 = (1n << 16n) - 1n;
const UINT32 = (1n << 32n) - 1n;
const UINT64 = (1n << 64n) - 1n;

/** Fjord's parameters for estimating a transaction's size on L1, in millionths of a byte. */
const MIN_SIZE = 100_000_000n;
const INTERCEPT = -42_585_600n;
const PER_FAST_LZ_BYTE = 836_500n;

/** The values in the L1Block contract on which fees depend. */
export interface L1Fees {
  /** wei per gas */
  readonly baseFee: bigint;
  /** wei per blob gas */
  readonly blobBaseFee: bigint;
  /** in millionths */
  readonly baseFeeScalar: bigint;
  /** in millionths */
  readonly blobBaseFeeScalar: bigint;
  /** hundreds of wei per gas */
  readonly operatorFeeScalar: bigint;
  /** wei per transaction */
  readonly operatorFeeConstant: bigint;
  /** gas per byte of a transaction's estimated size on L1 */
  readonly daFootprintGasScalar: bigint;
}

/** The fees of a transaction in addition to the gas fee; see {@link rollupFeesOf}. */
export interface RollupFees {
  /** wei, for the transaction's bytes on L1 */
  readonly l1Fee: bigint;
  /** wei, for the given gas */
  operatorFee(gas: bigint): bigint;
}

/** Reads the fee parameters from the L1Block contract. */
export async function l1FeesIn(state: Pick<StateView, 'getStorage'>): Promise<L1Fees> {
  const values: bigint[] = [];
  for (const slot of L1_FEE_SLOTS)
    values.push(integerOf(await state.getStorage(L1_BLOCK, integerWord(slot))));
  return l1FeesOf(values);
}

/** @param values the values of {@link L1_FEE_SLOTS} */
export function l1FeesOf([
  baseFee = 0n,
  scalars = 0n,
  blobBaseFee = 0n,
  operator = 0n,
]: readonly bigint[]): L1Fees {
  return {
    baseFee,
    blobBaseFee,
    baseFeeScalar: (scalars >> 96n) & UINT32,
    blobBaseFeeScalar: (scalars >> 64n) & UINT32,
    operatorFeeScalar: (operator >> 64n) & UINT32,
    operatorFeeConstant: operator & UINT64,
    daFootprintGasScalar: (operator >> 96n) & UINT16,
  };
}

/** The fees of a transaction on a state, see {@link rollupFeesOf}. */
export async function rollupFees(raw: Uint8Array, state: StateView): Promise<RollupFees | undefined> {
  return rollupFeesOf(raw, await l1FeesIn(state));
}

/**
 * The L1 fee since Fjord and the operator fee since Jovian (specs.optimism.io/protocol/fjord/exec-engine.html and
 * jovian/exec-engine.html). `undefined` when the L1Block contract sets neither.
 * @param raw EIP-2718 encoding of the transaction
 */
export function rollupFeesOf(raw: Uint8Array, fees: L1Fees): RollupFees | undefined {
  const { baseFeeScalar, blobBaseFeeScalar, operatorFeeScalar, operatorFeeConstant } = fees;
  if ((baseFeeScalar | blobBaseFeeScalar | operatorFeeScalar | operatorFeeConstant) === 0n) return undefined;
  return {
    l1Fee: l1FeeOf(raw, fees),
    operatorFee: (gas) => gas * operatorFeeScalar * 100n + operatorFeeConstant,
  };
}

/** The L1 fee in wei. @param raw EIP-2718 encoding of the transaction */
export function l1FeeOf(raw: Uint8Array, fees: L1Fees): bigint {
  const { baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar } = fees;
  const price = 16n * baseFeeScalar * baseFee + blobBaseFeeScalar * blobBaseFee;
  return price === 0n ? 0n : (estimatedSize(raw) * price) / 1_000_000_000_000n;
}

/** Fjord's estimate of a transaction's size on L1, in millionths of a byte. @param raw its EIP-2718 encoding */
export function estimatedSize(raw: Uint8Array): bigint {
  const size = INTERCEPT + PER_FAST_LZ_BYTE * BigInt(fastLzLength(raw));
  return size < MIN_SIZE ? MIN_SIZE : size;
}

/**
 * DA footprint: the gas of its block that a transaction consumes for its size on L1 (specs.optimism.io/protocol/jovian/exec-engine.html).
 */
export function daFootprint(raw: Uint8Array, { daFootprintGasScalar }: L1Fees): bigint {
  return (estimatedSize(raw) / 1_000_000n) * daFootprintGasScalar;
}
