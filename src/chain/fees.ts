import type { Hardfork } from '../protocol/hardfork.ts';
import type { Header } from './block.ts';
import { DEFAULT_FEE_PARAMETERS, decodeFeeParameters, type FeeParameters } from './fee-parameters.ts';

/** The parent's header fields from which the next header's fees and slot number follow. */
export type ParentHeader = Pick<
  Header,
  | 'number'
  | 'difficulty'
  | 'gasLimit'
  | 'gasUsed'
  | 'extraData'
  | 'baseFeePerGas'
  | 'blobGasUsed'
  | 'excessBlobGas'
  | 'slotNumber'
>;

/** EIP-1559 */
const ETHEREUM = { denominator: 8n, elasticity: 2n };
/** wei per gas of the first London block */
const INITIAL_BASE_FEE = 1_000_000_000n;
/** EIP-4844, wei per blob gas */
const MIN_BLOB_BASE_FEE = 1n;
/** EIP-7918, gas */
const BLOB_BASE_COST = 1n << 13n;

/**
 * Base fee of the block after `parent`, in wei per gas (EIP-1559; on an OP chain with the parameters in the parent's
 * `extraData`); `undefined` before London. A base fee of 0 stays 0 if the chain has that rule.
 */
export function nextBaseFee(parent: ParentHeader, hardfork: Hardfork): bigint | undefined {
  if (!hardfork.has(1559)) return undefined;
  const { baseFeePerGas } = parent;
  if (baseFeePerGas === undefined) return INITIAL_BASE_FEE;
  // EIP-1559 never lowers a base fee to 0, so a user has set it.
  if (baseFeePerGas === 0n && hardfork.chainRules.zeroBaseFeeStays) return 0n;
  if (!hardfork.rollup) return changedBaseFee(baseFeePerGas, parent.gasUsed, parent.gasLimit, ETHEREUM);
  const { gasUsed, gasLimit, blobGasUsed = 0n } = parent;
  const parameters = decodeFeeParameters(parent.extraData) ?? DEFAULT_FEE_PARAMETERS;
  // In a Jovian block, `blobGasUsed` is the data footprint.
  const metered = hardfork.rollup === 'jovian' && blobGasUsed > gasUsed ? blobGasUsed : gasUsed;
  const fee = changedBaseFee(baseFeePerGas, metered, gasLimit, parameters);
  return fee < parameters.minBaseFee ? parameters.minBaseFee : fee;
}

function changedBaseFee(
  baseFee: bigint,
  gasUsed: bigint,
  gasLimit: bigint,
  { denominator, elasticity }: Pick<FeeParameters, 'denominator' | 'elasticity'>,
): bigint {
  const target = gasLimit / elasticity;
  if (target === 0n || gasUsed === target) return baseFee;
  if (gasUsed > target) {
    const rise = (baseFee * (gasUsed - target)) / target / denominator;
    return baseFee + (rise > 1n ? rise : 1n);
  }
  return baseFee - (baseFee * (target - gasUsed)) / target / denominator;
}

/** `fake_exponential` of EIP-4844 */
function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  if (numerator === 0n) return factor;
  let output = 0n;
  let term = factor * denominator;
  for (let i = 1n; term > 0n; i++) {
    output += term;
    term = (term * numerator) / (denominator * i);
  }
  return output / denominator;
}

/** Wei per blob gas in a block with this excess (EIP-4844); `undefined` before Cancun. */
export function blobBaseFee(excessBlobGas: bigint | undefined, hardfork: Hardfork): bigint | undefined {
  if (!hardfork.blobs) return undefined;
  return fakeExponential(MIN_BLOB_BASE_FEE, excessBlobGas ?? 0n, hardfork.blobs.updateFraction);
}

/** Excess blob gas of the block after `parent` (EIP-4844, EIP-7918); `undefined` before Cancun, 0 on an OP chain. */
export function nextExcessBlobGas(parent: ParentHeader, hardfork: Hardfork): bigint | undefined {
  if (!hardfork.blobs) return undefined;
  if (hardfork.rollup) return 0n;
  const { target, max } = hardfork.blobs;
  const excess = parent.excessBlobGas ?? 0n;
  const used = parent.blobGasUsed ?? 0n;
  if (excess + used < target) return 0n;
  if (hardfork.has(7918)) {
    const blobFee = blobBaseFee(excess, hardfork) ?? 0n;
    if (BLOB_BASE_COST * (parent.baseFeePerGas ?? 0n) > hardfork.param('blobGasPerBlob') * blobFee) {
      return excess + (used * (max - target)) / max;
    }
  }
  return excess + used - target;
}
