import { Address, hexToBytes } from '@ethereumjs/util';
import { integerOf, integerWord } from '../state/integers.ts';
import type { StateView } from '../state/view.ts';
import { fastLzLength } from './fast-lz.ts';

/** The L1Block contract: L1's fee parameters on an OP chain. The slots are those since Ecotone and Isthmus. */
const L1_BLOCK = new Address(hexToBytes('0x4200000000000000000000000000000000000015'));
const [BASE_FEE, SCALARS, BLOB_BASE_FEE, OPERATOR_FEE] = [1n, 3n, 7n, 8n].map((slot) => integerWord(slot));
const UINT32 = (1n << 32n) - 1n;
const UINT64 = (1n << 64n) - 1n;

/** Fjord's estimate of a transaction's size on L1, in millionths of a byte. */
const LEAST_SIZE = 100_000_000n;
const INTERCEPT = -42_585_600n;
const PER_FAST_LZ_BYTE = 836_500n;

/** The fees of a transaction besides gas; see {@link rollupFees}. */
export interface RollupFees {
  /** wei, for the transaction's bytes on L1 */
  readonly l1Fee: bigint;
  /** wei, for the given gas */
  operatorFee(gas: bigint): bigint;
}

/**
 * The L1 fee since Fjord and the operator fee since Jovian (specs.optimism.io/protocol/fjord/exec-engine.html and
 * jovian/exec-engine.html). `undefined` when the L1Block contract sets neither.
 * @param raw EIP-2718 encoding of the transaction
 */
export async function rollupFees(raw: Uint8Array, state: StateView): Promise<RollupFees | undefined> {
  const read = async (slot: Uint8Array | undefined) => integerOf(await state.getStorage(L1_BLOCK, slot!));
  const scalars = await read(SCALARS);
  const operator = await read(OPERATOR_FEE);
  if (scalars === 0n && operator === 0n) return undefined;
  const baseFeeScalar = (scalars >> 96n) & UINT32;
  const blobBaseFeeScalar = (scalars >> 64n) & UINT32;
  const price =
    16n * baseFeeScalar * (await read(BASE_FEE)) + blobBaseFeeScalar * (await read(BLOB_BASE_FEE));
  const operatorScalar = (operator >> 64n) & UINT32;
  const operatorConstant = operator & UINT64;
  return {
    l1Fee: (estimatedSize(raw) * price) / 1_000_000_000_000n,
    operatorFee: (gas) => gas * operatorScalar * 100n + operatorConstant,
  };
}

function estimatedSize(raw: Uint8Array): bigint {
  const size = INTERCEPT + PER_FAST_LZ_BYTE * BigInt(fastLzLength(raw));
  return size < LEAST_SIZE ? LEAST_SIZE : size;
}
